package io.turnframe.outbox.it.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import jakarta.annotation.Resource;
import jakarta.transaction.UserTransaction;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.naming.InitialContext;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One destination of three hangs. */
@Tag("dispatcher")
@ExtendWith(ArquillianExtension.class)
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=200ms",
    "outbox.dispatch.send-timeout=60s",
    "outbox.dispatch.claim-timeout=150s",
    "outbox.dispatch.concurrency=" + HangingIT.CONCURRENCY,
    "outbox.destinations=a,b,hanging",
    "outbox.destination.a.sender=" + ScriptedSender.JNDI_NAME,
    "outbox.destination.b.sender=" + ScriptedSender.JNDI_NAME,
    "outbox.destination.hanging.sender=" + ScriptedSender.JNDI_NAME
})
class HangingIT {
    static final int CONCURRENCY = 16;

    private static final int ROWS = 300;

    private static final Duration PATIENCE = Duration.ofSeconds(50);

    /** Those of the sample's pool that are left to the outbox. */
    private static final int CONNECTIONS = 5;

    private static final int POOL = 20;

    private final CountDownLatch hang = new CountDownLatch(1);
    private final AtomicInteger out = new AtomicInteger();
    private final List<UUID> hanging = new ArrayList<>();

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    private Outbox outbox;
    private DataSource dataSource;

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(order = 2)
    static WebArchive application() {
        return Archives.application().addPackage(HangingIT.class.getPackage());
    }

    @BeforeEach
    void lookUp() throws Exception {
        outbox = InitialContext.doLookup(Outbox.JNDI_NAME);
        dataSource = ThisServer.dataSource();
    }

    @AfterEach
    void answer() {
        hang.countDown();
        hanging.forEach(id -> awaitCompleted(List.of(id)));
    }

    @Test
    void letsTheOthersKeepTheirPace() throws Exception {
        millisFor(ROWS);
        long before = medianMillisFor(ROWS);
        hangOut();
        long beside = medianMillisFor(ROWS);
        assertThat(out).as("out all the while").hasValue(CONCURRENCY / 2);
        System.out.printf(
                Locale.ROOT,
                "%d entries to two destinations: %d ms alone, %d ms beside one that hangs: %.0f %% of the pace%n",
                ROWS,
                before,
                beside,
                100.0 * before / beside);
    }

    @Test
    void keepsNoTransactionOpenOverASend() throws Exception {
        hangOut();
        // One that were open over the sends would be there at every look.
        Awaitility.await().atMost(PATIENCE).until(() -> openTransactions() == 0);
        assertThat(out).hasValue(CONCURRENCY / 2);
    }

    @Test
    void needsNoConnectionOfASmallPoolWhileItSends() throws Exception {
        hangOut();
        List<Connection> taken = takeAllBut(CONNECTIONS);
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(stats()).isEqualTo(200);
            }
            millisFor(50);
            assertThat(out).hasValue(CONCURRENCY / 2);
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    /** On a thread of its own: what this one holds would be enlisted in the transaction it begins. */
    private List<Connection> takeAllBut(int left) {
        return CompletableFuture.supplyAsync(() -> {
                    List<Connection> taken = new ArrayList<>();
                    try {
                        while (taken.size() < POOL - left) {
                            taken.add(dataSource.getConnection());
                        }
                    } catch (SQLException failed) {
                        throw new IllegalStateException(failed);
                    }
                    return taken;
                })
                .join();
    }

    /** Twice as many as may be out; the rest wait. */
    private void hangOut() throws Exception {
        List<OutboxEntry> entries = entries("hanging", CONCURRENCY);
        for (OutboxEntry entry : entries) {
            Script.set(entry.idempotencyKey(), List.of(sent -> {
                out.incrementAndGet();
                awaitIgnoringInterrupts(hang);
                return Dispatched.completed();
            }));
            hanging.add(entry.outboxId());
        }
        enqueue(entries);
        Awaitility.await().atMost(PATIENCE).untilAtomic(out, Matchers.is(CONCURRENCY / 2));
    }

    private long medianMillisFor(int rows) throws Exception {
        long[] millis = new long[3];
        for (int i = 0; i < millis.length; i++) {
            millis[i] = millisFor(rows);
        }
        Arrays.sort(millis);
        return millis[millis.length / 2];
    }

    private long millisFor(int rows) throws Exception {
        List<OutboxEntry> entries = Stream.concat(entries("a", rows / 2).stream(), entries("b", rows / 2).stream())
                .toList();
        entries.forEach(entry -> Script.set(entry.idempotencyKey(), List.of(sent -> Dispatched.completed())));
        long begun = System.nanoTime();
        enqueue(entries);
        awaitCompleted(entries.stream().map(OutboxEntry::outboxId).toList());
        return Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }

    private void enqueue(List<OutboxEntry> entries) throws Exception {
        transaction.begin();
        outbox.enqueueAll(entries);
        transaction.commit();
    }

    private void awaitCompleted(List<UUID> ids) {
        Deque<UUID> open = new ArrayDeque<>(ids);
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            while (!open.isEmpty() && outbox.get(open.peek()).entry().status() == OutboxStatus.COMPLETED) {
                open.remove();
            }
            return open.isEmpty();
        });
    }

    private static List<OutboxEntry> entries(String destination, int rows) {
        return IntStream.range(0, rows)
                .mapToObj(n -> OutboxEntry.pending(
                        UUID.randomUUID(), destination, UUID.randomUUID().toString(), "{}"))
                .toList();
    }

    private int openTransactions() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement select = connection.createStatement();
                ResultSet count = select.executeQuery(
                        switch (connection.getMetaData().getDatabaseProductName()) {
                            case "PostgreSQL" ->
                                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                        + " AND xact_start IS NOT NULL AND pid <> pg_backend_pid()";
                            case "MariaDB" -> "SELECT count(*) FROM information_schema.innodb_trx";
                            default -> "SELECT count(*) FROM information_schema.sessions WHERE contains_uncommitted";
                        })) {
            count.next();
            return count.getInt(1);
        }
    }

    /** What the admin resource answers to a viewer. */
    private static int stats() throws Exception {
        String operator = "operator:outbox-it";
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(ThisServer.url("/outbox/api/stats")))
                                .header(
                                        "Authorization",
                                        "Basic "
                                                + Base64.getEncoder()
                                                        .encodeToString(operator.getBytes(StandardCharsets.UTF_8)))
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException deaf) {
                continue;
            }
        }
    }
}
