package io.turnframe.outbox.it.jta;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.jta.OutboxTable.Kind;
import io.turnframe.outbox.it.jta.business.Books;
import io.turnframe.outbox.it.jta.business.Hang;
import io.turnframe.outbox.it.jta.business.Orders;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server is killed in the middle of business transactions, also between prepare and commit. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("wildfly")
@Tag("database-server")
class CrashIT {
    private static final String NODE = "node";
    private static final List<String> DEPLOYMENTS = List.of("outbox", "travel-desk", "application");

    /** The three ways to share a transaction that survive a crash. */
    private static final List<Books> WAYS = List.of(Books.SHARED, Books.ALIAS, Books.APART);

    @ArquillianResource
    private ContainerController servers;

    @ArquillianResource
    private Deployer deployer;

    private final TestServer server = TestServer.node();
    private final Site site = new Site(server);

    /** Orders by where their books are. */
    private final Map<Books, UUID> committed = new EnumMap<>(Books.class);

    private final Map<Books, UUID> unfinished = new EnumMap<>(Books.class);

    /** One resource is prepared; that it shall commit is recorded nowhere. */
    private final UUID undecided = UUID.randomUUID();

    /** It is recorded that it shall commit; the order has, the entry is prepared. */
    private final UUID decided = UUID.randomUUID();

    @Deployment(name = "outbox", managed = false, testable = false)
    @TargetsContainer(NODE)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = "travel-desk", managed = false, testable = false)
    @TargetsContainer(NODE)
    static WebArchive travelDesk() {
        return Archives.travelDesk();
    }

    @Deployment(name = "application", managed = false, testable = false)
    @TargetsContainer(NODE)
    static WebArchive application() {
        return Archives.application()
                .addPackage(Orders.class.getPackage())
                .addAsManifestResource(new StringAsset("Dependencies: org.jboss.jts\n"), "MANIFEST.MF");
    }

    @Test
    void goesOnPastWhatIsInDoubtAndBothDatabasesAgreeAfterRecovery() throws Exception {
        servers.start(NODE);
        try {
            DEPLOYMENTS.forEach(deployer::deploy);
            server.setProperties(Map.of("outbox.admin.enqueue", "true"));
            placeOrders();
            kill();
            try (OutboxTable table = new OutboxTable(server)) {
                Map<Kind, UUID> held = table.insertOneOfEach();
                Map<Kind, UUID> free = table.insertOneOfEach();
                table.hold(held.values());
                table.boundLockWaits(10);
                assertThat(table.inDoubt()).isEqualTo(3);

                servers.start(NODE);
                assertWhatACrashLeaves();
                assertProcessed(table, free);
                assertUntouched(table, held);
                assertTheAdminResourceAnswers(held);

                recover(table);
                assertBothDatabasesAgree();
                table.letGo();
                assertProcessed(table, held);
                table.clear();
                table.boundLockWaits(50);
            }
            server.resetProperties(Set.of("outbox.admin.enqueue"));
            DEPLOYMENTS.forEach(deployer::undeploy);
        } finally {
            servers.stop(NODE);
        }
    }

    private void placeOrders() {
        for (Books books : WAYS) {
            site.open(books);
            committed.put(books, UUID.randomUUID());
            site.place(books, committed.get(books));
            unfinished.put(books, UUID.randomUUID());
            site.placeAndHang(books, unfinished.get(books), Hang.Point.BEFORE_END);
        }
        site.placeAndHang(Books.APART, undecided, Hang.Point.PREPARE);
        site.placeAndHang(Books.APART, decided, Hang.Point.COMMIT);
        List<UUID> hanging = new ArrayList<>(unfinished.values());
        hanging.addAll(List.of(undecided, decided));
        eventually("all transactions hang")
                .until(() -> site.server().getJsonArray("hanging").stream()
                        .map(order -> UUID.fromString(((JsonString) order).getString()))
                        .toList()
                        .containsAll(hanging));
    }

    /** {@code kill -9}. */
    private void kill() {
        ProcessHandle process =
                ProcessHandle.of(site.server().getJsonNumber("pid").longValue()).orElseThrow();
        assertThat(process.destroyForcibly()).isTrue();
        process.onExit().join();
        servers.kill(NODE);
    }

    private void assertWhatACrashLeaves() {
        eventually("the applications are up").ignoreExceptions().until(() -> site.server() != null);
        for (Books books : WAYS) {
            assertFound(books, committed.get(books), true, 1);
            assertFound(books, unfinished.get(books), false, 0);
        }
        assertFound(Books.APART, undecided, false, 0);
        assertFound(Books.APART, decided, true, 0);
    }

    private void assertProcessed(OutboxTable table, Map<Kind, UUID> rows) {
        for (Kind kind : List.of(Kind.READY, Kind.DELAYED, Kind.ABANDONED)) {
            eventually(kind + " is sent").until(() -> "completed".equals(table.status(rows.get(kind))));
        }
        server.startPurgeJob("1d");
        eventually("the old row is purged").until(() -> table.status(rows.get(Kind.OLD)) == null);
    }

    private static void assertUntouched(OutboxTable table, Map<Kind, UUID> rows) throws SQLException {
        assertThat(table.status(rows.get(Kind.READY))).isEqualTo("pending");
        assertThat(table.status(rows.get(Kind.DELAYED))).isEqualTo("pending");
        assertThat(table.status(rows.get(Kind.ABANDONED))).isEqualTo("dispatching");
        assertThat(table.status(rows.get(Kind.OLD))).isEqualTo("completed");
    }

    private void assertTheAdminResourceAnswers(Map<Kind, UUID> held) {
        for (String path : List.of("/stats", "/entries?limit=500", "/entries/" + held.get(Kind.READY))) {
            assertThat(site.outbox(path).statusCode()).as(path).isEqualTo(200);
        }
        assertThat(site.enqueue("key-" + UUID.randomUUID()).statusCode()).isEqualTo(201);
        // Nobody can know yet whether it is a duplicate, and nobody has to wait until somebody does.
        HttpResponse<String> refusal = site.enqueue(decided.toString());
        assertThat(refusal.statusCode()).isEqualTo(503);
        assertThat(refusal.headers().firstValue("Retry-After")).isPresent();
        assertThat(Site.json(refusal).getString("code")).isEqualTo("turnframe.store.busy");
    }

    private void recover(OutboxTable table) {
        eventually("nothing but ours is in doubt").until(() -> {
            site.recover();
            return table.inDoubt() == 1;
        });
    }

    private void assertBothDatabasesAgree() {
        assertFound(Books.APART, decided, true, 1);
        assertFound(Books.APART, undecided, false, 0);
        assertThat(site.enqueue(decided.toString()).statusCode()).isEqualTo(409);
    }

    private void assertFound(Books books, UUID order, boolean written, int entries) {
        JsonObject found = site.find(books, order);
        assertThat(found.getBoolean("written"))
                .as("order in the books, %s", books)
                .isEqualTo(written);
        assertThat(found.getInt("entries")).as("entries, %s", books).isEqualTo(entries);
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(200));
    }
}
