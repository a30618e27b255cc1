package io.turnframe.outbox.it.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.it.assembly.senders.ArchiveSender;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import jakarta.annotation.Resource;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.naming.InitialContext;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Senders of one's own in an EAR of one's own: CDI beans in a jar beside ours. */
@Tag("wildfly")
@Tag("embedded-database")
@ExtendWith(ArquillianExtension.class)
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=200ms",
    "outbox.dispatch.send-timeout=2s",
    "outbox.dispatch.initial-backoff=50ms",
    "outbox.destinations=archive,ledger"
})
class AssemblyIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    @Resource(lookup = "java:/jdbc/OutboxDS")
    private DataSource dataSource;

    private Outbox outbox;

    /** As the guide says: {@code docs/senders.md}. */
    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive assembly() {
        return Archives.outboxWith(ShrinkWrap.create(JavaArchive.class, "senders.jar")
                .addPackage(ArchiveSender.class.getPackage())
                .addAsManifestResource(
                        new StringAsset("<beans xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"4.0\""
                                + " bean-discovery-mode=\"annotated\"/>"),
                        "beans.xml")
                .addAsManifestResource(
                        new StringAsset("<ejb-jar xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"4.0\"/>"),
                        "ejb-jar.xml"));
    }

    @Deployment(order = 2)
    static WebArchive application() {
        return Archives.application().addClass(AssemblyIT.class);
    }

    @BeforeEach
    void prepare() throws Exception {
        outbox = InitialContext.doLookup(Outbox.JNDI_NAME);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS it_ledger (id UUID PRIMARY KEY)");
        }
    }

    @Test
    void dispatchesToABeanThatIsQualifiedWithTheDestination() throws Exception {
        OutboxRecord record = completed(enqueue("archive", "{\"n\":1}"));
        assertThat(record.remoteRef()).isEqualTo("filed {\"n\":1}");
    }

    @Test
    void completesInTheTransactionOfATransactionalSender() throws Exception {
        UUID id = enqueue("ledger", "{}");
        assertThat(completed(id).remoteRef()).as("sent in a transaction").isEqualTo("true");
        assertThat(effects(id)).isEqualTo(1);
    }

    @Test
    void leavesNoEffectOfAnAttemptThatEndedInDoubt() throws Exception {
        UUID id = enqueue("ledger", "\"unsure\"");
        OutboxRecord record = completed(id);
        assertThat(record.entry().attemptCount()).isEqualTo(2);
        assertThat(record.lastFailure()).isEqualTo("turnframe.dispatch.rolled_back");
        assertThat(effects(id)).isEqualTo(1);
    }

    @Test
    void commitsNothingAfterTheDeadline() throws Exception {
        UUID id = enqueue("ledger", "\"slow\"");
        OutboxRecord record = completed(id);
        assertThat(record.entry().attemptCount()).isEqualTo(2);
        assertThat(record.lastFailure()).isEqualTo("turnframe.dispatch.no_answer");
        assertThat(record.remoteRef()).isEqualTo("true");
        assertThat(effects(id)).isEqualTo(1);
    }

    private UUID enqueue(String destination, String payload) throws Exception {
        OutboxEntry entry = OutboxEntry.pending(
                UUID.randomUUID(), destination, UUID.randomUUID().toString(), payload);
        transaction.begin();
        outbox.enqueue(entry);
        transaction.commit();
        return entry.outboxId();
    }

    private OutboxRecord completed(UUID id) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> outbox.get(id), record -> record.entry().status() == OutboxStatus.COMPLETED);
    }

    private int effects(UUID id) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM it_ledger WHERE id = '" + id + "'")) {
            count.next();
            return count.getInt(1);
        }
    }
}
