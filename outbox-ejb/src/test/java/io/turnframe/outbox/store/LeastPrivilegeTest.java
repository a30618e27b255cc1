package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.OutboxStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Everything the stages do, as the running role of the documents, which may do nothing else. */
class LeastPrivilegeTest extends StagesContract {
    private DataSource superuser;

    LeastPrivilegeTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Override
    DataSource database() throws SQLException {
        superuser = TestPostgreSql.empty();
        // Roles belong to the server, and stay.
        TestPostgreSql.execute(superuser, "DROP ROLE IF EXISTS outbox_owner");
        TestPostgreSql.execute(superuser, "DROP ROLE IF EXISTS outbox_app");
        execute(superuser, "roles");
        DataSource owner = TestPostgreSql.as("outbox_owner", "change-me", superuser);
        new Schema(owner, Database.POSTGRESQL).migrate();
        execute(owner, "grants");
        execute(owner, "history-grant");
        return TestPostgreSql.as("outbox_app", "change-me-too", superuser);
    }

    @AfterEach
    void forgetTheRoles() throws SQLException {
        TestPostgreSql.execute(superuser, "DROP OWNED BY outbox_owner, outbox_app CASCADE");
    }

    @Test
    void validates() {
        new Schema(dataSource, Database.POSTGRESQL).validate();
    }

    @Test
    void purges() {
        PurgeStage purge = new PurgeStage(em, Database.POSTGRESQL);
        UUID id = store(entry("a").build()).outboxId();
        claimed(T0, 10);
        in(() -> {
            verdict.complete(id, T0);
            return null;
        });
        assertThat(in(() -> purge.purge(OutboxStatus.COMPLETED, T0.plus(Duration.ofDays(1)), 10)))
                .isEqualTo(1);
    }

    @Test
    void mayAddToTheAuditAndNotChangeIt() throws SQLException {
        AuditStage audit = new AuditStage(dataSource, Database.POSTGRESQL, written -> {});
        Act act = Act.of("ann", null);
        in(() -> {
            audit.write(AuditStage.of(AuditedAct.STOP, act, T0, null, "execution=1"));
            return null;
        });
        assertThat(audit.page(null, 10)).hasSize(1);
        for (String forbidden : List.of(
                "UPDATE tf_outbox_audit SET actor = 'bob'",
                "DELETE FROM tf_outbox_audit",
                "TRUNCATE tf_outbox_audit")) {
            assertThatThrownBy(() -> TestPostgreSql.execute(dataSource, forbidden))
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void mayNotChangeTheSchema() {
        assertThatThrownBy(() -> TestPostgreSql.execute(dataSource, "ALTER TABLE tf_outbox ADD COLUMN x integer"))
                .hasMessageContaining("must be owner");
        assertThatThrownBy(() -> TestPostgreSql.execute(dataSource, "CREATE TABLE outbox.mine (x integer)"))
                .hasMessageContaining("permission denied");
        assertThatThrownBy(() -> TestPostgreSql.execute(dataSource, "TRUNCATE tf_outbox CASCADE"))
                .hasMessageContaining("permission denied");
        assertThatThrownBy(() -> TestPostgreSql.execute(dataSource, "DELETE FROM tf_outbox_history"))
                .hasMessageContaining("permission denied");
    }

    private static void execute(DataSource as, String block) throws SQLException {
        TestPostgreSql.execute(as, ForeignTableFixture.documented("operations/databases.md", block));
    }
}
