package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.faults.Table.Row;
import io.turnframe.outbox.it.harness.ServerProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * {@code kill -9} at random moments while rows are on their way to two remotes, one that deduplicates and one that does not.
 * {@code -Dit.kills.rows=5000 -Dit.kills.count=30} for more; {@code -Dit.kills.seed=N} repeats the moments.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillsIT {
    /** Of each destination. */
    private static final int ROWS = Integer.getInteger("it.kills.rows", 600);

    private static final int KILLS = Integer.getInteger("it.kills.count", 4);

    private static final long SEED = Long.getLong("it.kills.seed", System.nanoTime());

    /** The longest from the request that it was to happen at to a kill. */
    private static final int MILLIS = 30;

    private static final String DEDUPLICATING = "deduplicating";
    private static final String PLAIN = "plain";

    private static final String RECONCILE =
            "/deployment=outbox.ear/subdeployment=outbox-batch.jar/subsystem=batch-jberet"
                    + ":start-job(job-xml-name=outbox-reconcile)";

    private final Random random = new Random(SEED);
    private final Remote deduplicating = new Remote(5);
    private final Remote plain = new Remote(5);

    /** Which lives of the server sent a row, by its key; a life for each request. */
    private final Map<String, List<Integer>> sent = new HashMap<>();

    /** For each kill, what it left claimed. */
    private final List<Map<String, Row>> left = new ArrayList<>();

    /** Of the server, from 0; it ends when the next begins, so that what arrives late is counted with it. */
    private volatile int life;

    private ServerProcess server;
    private Table table;

    @BeforeAll
    void start() throws SQLException {
        server = ServerProcess.onPostgreSql(
                "kills",
                "kills",
                120,
                List.of(
                        "-Doutbox.dispatch.enabled=true",
                        "-Doutbox.dispatch.tick=500ms",
                        "-Doutbox.dispatch.batch-size=32",
                        "-Doutbox.reconcile.enabled=false",
                        "-Doutbox.reconcile.settling-time=1s",
                        "-Doutbox.reconcile.initial-backoff=100ms",
                        "-Doutbox.destinations=" + DEDUPLICATING + "," + PLAIN,
                        "-Doutbox.destination.deduplicating.url=" + deduplicating.url(),
                        "-Doutbox.destination.deduplicating.deduplicates=true",
                        "-Doutbox.destination.deduplicating.reconcile-url=" + deduplicating.url()
                                + "?key={idempotency_key}",
                        "-Doutbox.destination.deduplicating.authoritative=true",
                        "-Doutbox.destination.plain.url=" + plain.url(),
                        "-Doutbox.destination.plain.reconcile-url=" + plain.url() + "?key={idempotency_key}",
                        "-Doutbox.destination.plain.authoritative=true"));
        server.start();
        table = new Table("kills");
    }

    @AfterAll
    void end() throws SQLException {
        server.end();
        table.close();
        deduplicating.close();
        plain.close();
    }

    @Test
    void repeatsOnlyWhatWasInFlightAndOnlyWhereTheRemoteDeduplicates() throws SQLException {
        System.out.println("kills at random moments: -Dit.kills.seed=" + SEED);
        for (int kill = 1; kill <= KILLS; kill++) {
            killAmidBookings(kill);
            life++;
            server.start();
        }
        listen(request -> {});
        eventually("all rows have come to rest").until(() -> table.count("", "pending", "dispatching") == 0);

        assertThatOnlyWhatWasInFlightIsRepeated();
        assertThatNothingIsRepeatedAndTheDoubtfulIsSetAside();
        eventually("the reconciler has settled all").until(() -> {
            server.cli(RECONCILE);
            return table.count("", "completed") == 2 * ROWS;
        });
        assertThat(deduplicating.seen(DEDUPLICATING)).as("effects").hasSize(ROWS);
        assertThat(plain.seen(PLAIN))
                .as("effects, and no second request")
                .hasSize(ROWS)
                .allSatisfy(key -> assertThat(plain.bodies(key)).hasSize(1));
    }

    /** The rows of a life are more than it takes to its end. */
    private void killAmidBookings(int kill) throws SQLException {
        int portion = kill * ROWS / KILLS - (kill - 1) * ROWS / KILLS;
        int last = 1 + random.nextInt(portion);
        long delay = random.nextInt(MILLIS);
        CompletableFuture<Void> killed = new CompletableFuture<>();
        listen(request -> {
            if (request == last) {
                CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS).execute(() -> {
                    server.kill();
                    killed.complete(null);
                });
            }
        });
        table.inOneCommit(() -> {
            table.insert(DEDUPLICATING, DEDUPLICATING + "-" + kill + "-", portion);
            table.insert(PLAIN, PLAIN + "-" + kill + "-", portion);
        });
        Awaitility.await("kill " + kill + " at request " + last)
                .atMost(Duration.ofMinutes(3))
                .until(killed::isDone);
        table.awaitNobodyElse();
        left.add(table.rows("", "dispatching").stream().collect(Collectors.toMap(Row::key, Function.identity())));
        // Their holder is dead: what its claims wait for is time.
        table.ageClaims("");
    }

    /** What is done at each request of a life of the server, by its number in it. */
    private void listen(IntConsumer act) {
        AtomicInteger requests = new AtomicInteger();
        Function<String, Remote.Answer> confirming = key -> {
            synchronized (sent) {
                sent.computeIfAbsent(key, first -> new ArrayList<>()).add(life);
            }
            act.accept(requests.incrementAndGet());
            return Remote.Answer.CONFIRM;
        };
        deduplicating.behave(confirming);
        plain.behave(confirming);
    }

    private void assertThatOnlyWhatWasInFlightIsRepeated() {
        int second = 0;
        int inFlight = 0;
        for (String key : deduplicating.seen(DEDUPLICATING)) {
            List<String> bodies = deduplicating.bodies(key);
            int cut = kills(key);
            assertThat(bodies)
                    .as("requests with %s, in flight at %d kills", key, cut)
                    .hasSizeBetween(1, 1 + cut);
            assertThat(new HashSet<>(bodies)).as("bodies with " + key).hasSize(1);
            second += bodies.size() - 1;
            inFlight += cut;
        }
        assertThat(second).isLessThanOrEqualTo(inFlight);
        System.out.printf(
                "%d kills amid %d rows to a remote that deduplicates: %d effects, %d second requests, %d sends in flight"
                        + " at the kills%n",
                KILLS, ROWS, deduplicating.seen(DEDUPLICATING).size(), second, inFlight);
    }

    /** The kills that found the row sent and not settled. */
    private int kills(String key) {
        int kills = 0;
        for (int ended = 0; ended < left.size(); ended++) {
            if (left.get(ended).containsKey(key) && sent.get(key).contains(ended)) {
                kills++;
            }
        }
        return kills;
    }

    private void assertThatNothingIsRepeatedAndTheDoubtfulIsSetAside() throws SQLException {
        Set<String> marked = left.stream()
                .flatMap(rows -> rows.values().stream())
                .filter(Row::marked)
                .map(Row::key)
                .filter(key -> key.startsWith(PLAIN))
                .collect(Collectors.toSet());
        List<Row> rows = table.rows(PLAIN);
        assertThat(rows).hasSize(ROWS);
        assertThat(rows)
                .filteredOn(row -> row.is("outcome_unknown"))
                .extracting(Row::key)
                .containsExactlyInAnyOrderElementsOf(marked);
        int arrived = 0;
        for (Row row : rows) {
            if (row.is("outcome_unknown")) {
                assertThat(plain.bodies(row.key())).as(row.key()).hasSizeLessThanOrEqualTo(1);
                arrived += plain.bodies(row.key()).size();
            } else {
                assertThat(row.status()).isEqualTo("completed");
                assertThat(plain.bodies(row.key())).as(row.key()).hasSize(1);
            }
        }
        System.out.printf(
                "%d kills amid %d rows to one that does not: no second request, %d rows outcome_unknown, of which %d had"
                        + " arrived%n",
                KILLS, ROWS, marked.size(), arrived);
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(200));
    }
}
