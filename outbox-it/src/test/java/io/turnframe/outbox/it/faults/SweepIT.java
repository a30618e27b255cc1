package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.faults.Table.Row;
import io.turnframe.outbox.it.harness.ServerProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A sweep of many rows is interrupted in its midst: by operators, several times in a row, and by {@code kill -9}. Claims do
 * not time out meanwhile, so that nothing is put right by a release.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SweepIT {
    /** {@code -Dit.faults.repetitions=10} for more. */
    private static final int REPETITIONS = Integer.getInteger("it.faults.repetitions", 3);

    private static final int ROWS = 200;
    private static final int CONCURRENCY = 16;
    private static final int BATCH = 32;

    /** Of one destination, at once. */
    private static final int OUT = CONCURRENCY / 2;

    /** Of a sweep, before it is interrupted. */
    private static final int CONFIRMED = 60;

    private static final String DESTINATION = "remote";
    private static final String DEPLOYMENT = "/deployment=outbox.ear:";

    private final Remote remote = new Remote(30);
    private final Remote quick = new Remote(0);
    private ServerProcess server;
    private Table table;

    @BeforeAll
    void start() throws SQLException {
        server = ServerProcess.onPostgreSql(
                "sweep",
                "sweep",
                40,
                List.of(
                        "-Doutbox.dispatch.enabled=true",
                        "-Doutbox.dispatch.tick=500ms",
                        "-Doutbox.dispatch.send-timeout=2m",
                        "-Doutbox.dispatch.claim-timeout=30m",
                        "-Doutbox.dispatch.concurrency=" + CONCURRENCY,
                        "-Doutbox.dispatch.batch-size=" + BATCH,
                        "-Doutbox.destinations=remote,quick",
                        "-Doutbox.destination.remote.url=" + remote.url(),
                        "-Doutbox.destination.quick.url=" + quick.url()));
        server.start();
        table = new Table("sweep");
    }

    @AfterAll
    void end() throws SQLException {
        server.end();
        table.close();
        remote.close();
        quick.close();
    }

    @Test
    void losesNothingAndSendsNothingTwiceWhenItIsUndeployed() throws SQLException {
        for (int n = 1; n <= REPETITIONS; n++) {
            interrupt(
                    "undeploy-" + n + "-", n == REPETITIONS ? 1 : 0, () -> server.cli(DEPLOYMENT + "undeploy"), () -> {
                        server.cli(DEPLOYMENT + "deploy");
                        server.awaitOutbox();
                    });
        }
    }

    /** There is no grace: what is out is waited for until its deadline. The server restarts the run that it has stopped. */
    @Test
    void losesNothingAndSendsNothingTwiceWhenTheServerIsSuspended() throws SQLException {
        for (int n = 1; n <= REPETITIONS; n++) {
            interrupt(
                    "suspend-" + n + "-",
                    0,
                    () -> server.cli(":suspend(suspend-timeout=60)"),
                    () -> server.cli(":resume"));
        }
        assertThat(server.logged()).noneMatch(line -> line.contains("Failed to restart execution"));
    }

    @Test
    void losesNothingAndSendsNothingTwiceWhenTheServerIsTerminated() throws SQLException {
        for (int n = 1; n <= REPETITIONS; n++) {
            interrupt("sigterm-" + n + "-", n == REPETITIONS ? 1 : 0, server::terminate, server::start);
        }
    }

    /**
     * @param unanswered how many of those that are out get no answer
     * @param stop ends once the server has done what it was asked
     */
    private void interrupt(String sweep, int unanswered, Runnable stop, Runnable goOn) throws SQLException {
        AtomicInteger requests = new AtomicInteger();
        remote.behave(key -> requests.incrementAndGet() <= CONFIRMED ? Remote.Answer.CONFIRM : Remote.Answer.NONE);
        table.insert(DESTINATION, sweep, ROWS);
        eventually("the sweep stands in its midst, with rows claimed that are not sent")
                .until(() -> remote.waiting().size() == OUT
                        && table.rows(sweep, "completed").size() == CONFIRMED
                        && table.rows(sweep, "dispatching").size() > OUT);
        Set<String> out = remote.waiting();
        String lost = unanswered == 0 ? null : out.iterator().next();

        CompletableFuture<Void> stopping = CompletableFuture.runAsync(stop);
        eventually("what is not sent is pending, while answers are waited for")
                .until(() -> keys(table.rows(sweep, "dispatching")).equals(out));
        assertUnsentArePendingWithTheirBudgets(sweep);
        remote.confirmWaitingBut(lost);
        stopping.join();
        eventually("what was out is settled")
                .until(() -> table.rows(sweep, "dispatching").isEmpty());
        assertThat(remote.seen(sweep)).as("nothing was sent since").hasSize(CONFIRMED + OUT);
        assertUnsentArePendingWithTheirBudgets(sweep);
        assertThat(table.rows(sweep, "completed")).hasSize(CONFIRMED + OUT - unanswered);
        assertThat(keys(table.rows(sweep, "outcome_unknown")))
                .as("only what the remote did not answer within the grace")
                .isEqualTo(unanswered == 0 ? Set.of() : Set.of(lost));
        remote.dropWaiting();

        remote.behave(key -> Remote.Answer.CONFIRM);
        goOn.run();
        eventually("the rest is sent")
                .until(() -> table.rows(sweep, "completed").size() == ROWS - unanswered);
        for (Row row : table.rows(sweep)) {
            assertThat(remote.bodies(row.key()))
                    .as("requests with " + row.key())
                    .hasSize(1);
            assertThat(row.budgetUsed()).as("attempts of " + row.key()).isEqualTo(1);
        }
        System.out.println(sweep + ": " + CONFIRMED + " completed and " + OUT + " out at the interruption, "
                + (ROWS - CONFIRMED - OUT) + " pending at once, " + (ROWS - unanswered) + " completed, " + unanswered
                + " unknown, one request each");
    }

    private void assertUnsentArePendingWithTheirBudgets(String sweep) throws SQLException {
        List<Row> rows = table.rows(sweep);
        assertThat(rows).hasSize(ROWS);
        List<Row> pending = rows.stream().filter(row -> row.is("pending")).toList();
        assertThat(keys(pending))
                .doesNotContainAnyElementsOf(remote.seen(sweep))
                .hasSize(ROWS - CONFIRMED - OUT);
        assertThat(pending).allSatisfy(row -> {
            assertThat(row.budgetUsed()).isZero();
            assertThat(row.nextAttemptAt()).isNull();
            assertThat(row.marked()).isFalse();
        });
        assertThat(pending).as("given back").anyMatch(row -> row.attempts() == 1 && row.forgiven() == 1);
    }

    /** The hang holds up no settlement: when the others are through, it alone is in doubt. */
    @Test
    void hasOnlyTheHangingSendInDoubtWhenItIsKilledAfterTheOthers() throws SQLException {
        String sweep = "killed-after-";
        String hanging = sweep + 250;
        quick.behave(key -> key.equals(hanging) ? Remote.Answer.NONE : Remote.Answer.CONFIRM);
        table.insert("quick", sweep, 500);
        eventually("all others are settled")
                .until(() -> table.rows(sweep, "completed").size() == 499);
        server.kill();
        table.awaitNobodyElse();
        assertThat(inDoubt(sweep)).containsExactly(hanging);
        assertRecovers(sweep);
    }

    /** In full flight, what has answered and is not settled yet is in doubt as well. */
    @Test
    void hasWhatIsOutOrUnsettledInDoubtWhenItIsKilledInFullFlight() throws SQLException {
        String sweep = "killed-amid-";
        String hanging = sweep + "hanging-1";
        AtomicInteger requests = new AtomicInteger();
        CompletableFuture<Void> killed = new CompletableFuture<>();
        quick.behave(key -> {
            if (key.equals(hanging)) {
                return Remote.Answer.NONE;
            }
            if (requests.incrementAndGet() == 250) {
                CompletableFuture.runAsync(server::kill).thenRun(() -> killed.complete(null));
            }
            return Remote.Answer.CONFIRM;
        });
        table.insert("quick", sweep + "hanging-", 1);
        eventually("one hangs").until(() -> quick.waiting().contains(hanging));
        table.insert("quick", sweep, 499);
        Awaitility.await("the server is killed").atMost(Duration.ofMinutes(2)).until(killed::isDone);
        table.awaitNobodyElse();
        Set<String> doubtful = inDoubt(sweep);
        assertThat(doubtful).contains(hanging).hasSizeLessThanOrEqualTo(CONCURRENCY + BATCH);
        System.out.println(sweep + ": " + table.rows(sweep, "completed").size() + " completed, " + doubtful.size()
                + " in doubt at a concurrency of " + CONCURRENCY);
        assertRecovers(sweep);
    }

    /** Those whose send is marked as started. */
    private Set<String> inDoubt(String sweep) throws SQLException {
        return keys(table.rows(sweep).stream().filter(Row::marked).toList());
    }

    private void assertRecovers(String sweep) throws SQLException {
        Set<String> doubtful = inDoubt(sweep);
        quick.dropWaiting();
        quick.behave(key -> Remote.Answer.CONFIRM);
        table.ageClaims(sweep);
        server.start();
        eventually("every row comes to rest")
                .until(() -> table.rows(sweep, "pending").isEmpty()
                        && table.rows(sweep, "dispatching").isEmpty());
        assertThat(keys(table.rows(sweep, "outcome_unknown"))).isEqualTo(doubtful);
        for (Row row : table.rows(sweep, "completed")) {
            assertThat(quick.bodies(row.key())).as("requests with " + row.key()).hasSize(1);
        }
        for (String key : doubtful) {
            assertThat(quick.bodies(key)).as("requests with " + key).hasSizeLessThanOrEqualTo(1);
        }
    }

    private static Set<String> keys(List<Row> rows) {
        return rows.stream().map(Row::key).collect(Collectors.toCollection(HashSet::new));
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }
}
