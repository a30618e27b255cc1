package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.faults.Table.Attempt;
import io.turnframe.outbox.it.faults.Table.Row;
import io.turnframe.outbox.it.harness.ServerProcess;
import jakarta.json.Json;
import java.io.StringReader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Three nodes on one database: the clock of one is right, of one ten minutes fast, of one ten minutes slow. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ThreeNodesIT {
    private static final Duration WRONG = Duration.ofMinutes(10);

    /** Seconds that the clock of each node is fast. */
    private static final Map<String, Long> OFFSETS =
            new TreeMap<>(Map.of("right", 0L, "fast", WRONG.toSeconds(), "slow", -WRONG.toSeconds()));

    private static final Pattern REFUSAL = Pattern.compile(
            "entry (\\S+) (?:was not settled: its claim was lost|to \\S+ was confirmed after its claim was lost)");

    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(400);
    private static final int ATTEMPTS = 5;

    /** By then what one node was told is in force on all: a node knows what it read a second ago. */
    private static final Duration IN_FORCE = Duration.ofSeconds(2);

    /** Of one destination, at once. */
    private static final int OUT = 8;

    private final Remote remote = new Remote(0);
    private final Remote limited = new Remote(30);
    private final Map<String, ServerProcess> nodes = new LinkedHashMap<>();
    private Table table;

    @BeforeAll
    void start() throws SQLException {
        Path rules = CrashPointsContract.resource("clock.btm");
        for (String name : OFFSETS.keySet()) {
            nodes.put(
                    name,
                    ServerProcess.onPostgreSql(
                            "three",
                            name,
                            60 + 20 * nodes.size(),
                            List.of(
                                    "-Doutbox.dispatch.enabled=true",
                                    "-Doutbox.dispatch.worker-id=" + name,
                                    "-Doutbox.dispatch.tick=500ms",
                                    "-Doutbox.dispatch.send-timeout=10s",
                                    "-Doutbox.dispatch.claim-timeout=" + CLAIM_TIMEOUT,
                                    "-Doutbox.dispatch.concurrency=" + 2 * OUT,
                                    "-Doutbox.dispatch.batch-size=50",
                                    "-Doutbox.dispatch.initial-backoff=" + FIRST_BACKOFF,
                                    "-Doutbox.dispatch.backoff-multiplier=2",
                                    "-Doutbox.dispatch.max-attempts=" + ATTEMPTS,
                                    "-Doutbox.admin.enqueue=true",
                                    "-Doutbox.dispatch.journal=all",
                                    "-Doutbox.destinations=plain,deduplicating,limited",
                                    "-Doutbox.destination.limited.url=" + limited.url(),
                                    "-Doutbox.destination.plain.url=" + remote.url(),
                                    "-Doutbox.destination.deduplicating.url=" + remote.url(),
                                    "-Doutbox.destination.deduplicating.deduplicates=true")));
        }
        List<CompletableFuture<Void>> starts = nodes.entrySet().stream()
                .map(node -> CompletableFuture.runAsync(() ->
                        node.getValue().startWith(rules, "-Doutbox.test.clock-offset=" + OFFSETS.get(node.getKey()))))
                .toList();
        starts.forEach(CompletableFuture::join);
        table = new Table("three");
    }

    @AfterAll
    void end() throws SQLException {
        nodes.values().forEach(ServerProcess::end);
        if (table != null) {
            table.close();
        }
        remote.close();
        limited.close();
    }

    @Test
    void retryARowOnOneBackOffCurve() throws SQLException {
        String key = "failing-1";
        remote.behave(each -> each.equals(key) ? Remote.Answer.BUSY : Remote.Answer.CONFIRM);
        table.insert("plain", "failing-", 1);
        // With it, traffic that keeps all nodes claiming.
        for (int n = 1; n <= 5; n++) {
            String traffic = "traffic-" + n + "-";
            table.insert("plain", traffic, 100);
            eventually("the traffic passes")
                    .until(() -> table.rows(traffic, "completed").size() == 100);
        }
        eventually("its budget is spent").until(() -> table.row(key).is("failed"));

        Row row = table.row(key);
        assertThat(row.lastFailure()).isEqualTo("turnframe.dispatch.attempts_exhausted");
        assertThat(remote.bodies(key)).hasSize(ATTEMPTS);
        List<Attempt> journal = table.journal(row.id());
        assertThat(journal).extracting(Attempt::number).containsExactly(1, 2, 3, 4, 5);
        Duration backoff = FIRST_BACKOFF;
        for (int i = 1; i < journal.size(); i++) {
            Duration gap = Duration.between(
                    journal.get(i - 1).endedAt(), journal.get(i).startedAt());
            System.out.println("attempt " + (i + 1) + " on " + journal.get(i).worker() + " began " + gap.toMillis()
                    + " ms after attempt " + i + " on " + journal.get(i - 1).worker() + " had ended; back-off "
                    + backoff.toMillis() + " ms");
            assertThat(gap).isGreaterThanOrEqualTo(backoff);
            backoff = backoff.multipliedBy(2);
        }
    }

    /** Each with the others frozen, so that it is this one that acts. */
    @Test
    void goByTheClockOfTheDatabaseWhateverTheirOwnSays() throws SQLException {
        for (String name : nodes.keySet()) {
            assertThatTheClockIsWrong(name);
            List<ServerProcess> others = nodes.entrySet().stream()
                    .filter(node -> !node.getKey().equals(name))
                    .map(Map.Entry::getValue)
                    .toList();
            others.forEach(ServerProcess::freeze);
            try {
                assertGoesByTheClockOfTheDatabase(name);
            } finally {
                others.forEach(ServerProcess::thaw);
            }
        }
    }

    /** By the one thing that goes by it: when an entry was created. */
    private void assertThatTheClockIsWrong(String name) throws SQLException {
        String entry = Json.createObjectBuilder()
                .add("destination", "plain")
                .add("idempotency_key", "clock-of-" + name)
                .add("payload", Json.createObjectBuilder())
                .build()
                .toString();
        Instant before = table.now();
        String answer = nodes.get(name).post("/entries", entry);
        UUID id = UUID.fromString(Json.createReader(new StringReader(answer))
                .readObject()
                .getJsonObject("entry")
                .getString("outbox_id"));
        assertThat(table.createdAt(id).minusSeconds(OFFSETS.get(name)))
                .isBetween(before.minusSeconds(1), table.now().plusSeconds(1));
    }

    private void assertGoesByTheClockOfTheDatabase(String name) throws SQLException {
        String abandoned = "abandoned-" + name + "-";
        String live = "live-" + name + "-";
        String early = "early-" + name + "-";
        String due = "due-" + name + "-";
        remote.behave(key -> !key.startsWith(due)
                ? Remote.Answer.CONFIRM
                : remote.bodies(key).size() == 1 ? Remote.Answer.BUSY : Remote.Answer.NONE);
        Instant before = table.now();
        table.insertClaimed("plain", live, "now()");
        table.insertClaimed("plain", abandoned, "now() - interval '" + CLAIM_TIMEOUT.toSeconds() + " seconds'");
        table.insertDue("plain", early, "now() + interval '5 minutes'");
        table.insertDue("plain", due, "now() - interval '1 second'");
        UUID claim = table.row(live + 1).token();

        eventually("what is abandoned is released and sent").until(() -> {
            table.renewClaims(live);
            return table.row(abandoned + 1).is("completed");
        });
        eventually("what is due is sent, and sent again").until(() -> {
            table.renewClaims(live);
            return remote.waiting().equals(Set.of(due + 1));
        });
        Row sending = table.row(due + 1);
        Attempt refused = table.journal(sending.id()).get(0);
        remote.confirmWaiting();
        eventually("it is completed").until(() -> table.row(due + 1).is("completed"));

        assertThat(table.row(live + 1).token()).as("the claim that lives").isEqualTo(claim);
        assertThat(table.row(early + 1).is("pending")).isTrue();
        assertThat(remote.seen(early)).isEmpty();
        assertThat(sending.worker()).isEqualTo(name);
        assertThat(List.of(
                        refused.startedAt(),
                        refused.endedAt(),
                        sending.nextAttemptAt(),
                        sending.claimedAt(),
                        table.row(due + 1).completedAt(),
                        table.row(abandoned + 1).completedAt()))
                .as("times that %s wrote", name)
                .allSatisfy(time -> assertThat(time).isBetween(before, table.now()));
        assertThat(sending.claimedAt()).isAfterOrEqualTo(refused.endedAt().plus(FIRST_BACKOFF));
    }

    @Test
    void refuseWhatANodeSettlesThatWasFrozenBeyondItsClaim() throws SQLException {
        String again = "frozen-again-1";
        String plain = "frozen-plain-";
        remote.behave(key -> Remote.Answer.NONE);
        table.inOneCommit(() -> {
            table.insert("deduplicating", "frozen-again-", 1);
            table.insert("plain", plain, OUT + 4);
        });
        eventually("all that may be out is out").until(() -> remote.waiting().size() == 1 + OUT);
        Set<String> out = remote.waiting();
        List<Row> claimed = table.rows("frozen-");
        String frozen = table.row(again).worker();
        assertThat(claimed).allMatch(row -> frozen.equals(row.worker()));

        nodes.get(frozen).freeze();
        // It is answered; it cannot hear.
        remote.behave(key -> key.equals(again) ? Remote.Answer.NONE : Remote.Answer.CONFIRM);
        remote.confirmWaiting();
        eventually("what may be repeated is out at another node, what may not is set aside")
                .until(() -> remote.waiting().equals(Set.of(again))
                        && table.rows(plain, "outcome_unknown").size() == OUT);
        Row taken = table.row(again);
        assertThat(taken.worker()).isNotEqualTo(frozen);

        nodes.get(frozen).thaw();
        eventually("what it had out is refused")
                .until(() -> refusals(nodes.get(frozen))
                        .containsAll(claimed.stream()
                                .filter(row -> out.contains(row.key()))
                                .map(row -> row.id().toString())
                                .toList()));
        assertThat(table.row(again)).as("live at the other node").isEqualTo(taken);

        remote.confirmWaiting();
        eventually("the rest is sent")
                .until(() -> table.row(again).is("completed")
                        && table.rows(plain).stream().allMatch(row -> row.is("completed") || out.contains(row.key())));
        assertThat(table.row(again).remoteRef()).isEqualTo("/" + again + "/2");
        assertThat(remote.bodies(again)).hasSize(2);
        assertThat(new HashSet<>(remote.bodies(again))).hasSize(1);
        for (Row row : table.rows(plain)) {
            assertThat(remote.bodies(row.key()))
                    .as("requests with " + row.key())
                    .hasSize(1);
            // A confirmation that the node heard after all completes it; one that its deadline cut off does not.
            assertThat(row.status()).isIn("completed", "outcome_unknown");
            assertThat(row.attempts()).isEqualTo(out.contains(row.key()) ? 1 : 2);
            assertThat(row.budgetUsed()).isEqualTo(out.contains(row.key()) ? 0 : 1);
        }
    }

    /** The one that was told is frozen, so that it is the others that obey. */
    @Test
    void obeyAHoldThatAnotherWasTold() throws SQLException {
        remote.behave(key -> Remote.Answer.CONFIRM);
        ServerProcess told = nodes.get("right");
        told.put("/destinations/plain", "{\"held\":true}");
        Instant said = table.now();
        eventually("it is in force on all").until(() -> table.now().isAfter(said.plus(IN_FORCE)));
        told.freeze();
        try {
            for (int n = 1; n <= 3; n++) {
                String held = "held-" + n + "-";
                String others = "beside-held-" + n + "-";
                table.inOneCommit(() -> {
                    table.insert("plain", held, 20);
                    table.insert("deduplicating", others, 20);
                });
                eventually("those of another destination go out")
                        .until(() -> table.rows(others, "completed").size() == 20);
                assertThat(table.rows(held, "pending")).hasSize(20);
                assertThat(remote.seen(held)).isEmpty();
            }
            nodes.get("fast").put("/destinations/plain", "{\"held\":false}");
            eventually("what was held goes out")
                    .until(() -> table.rows("held-", "completed").size() == 60);
        } finally {
            told.thaw();
        }
        assertThat(remote.seen("held-"))
                .hasSize(60)
                .allSatisfy(key -> assertThat(remote.bodies(key)).hasSize(1));
    }

    /** Rows come until more than one node has sent some. */
    @Test
    void keepALimitOfTwoBetweenThem() throws SQLException {
        nodes.get("right").put("/destinations/limited", "{\"held\":false,\"concurrency\":2}");
        Instant said = table.now();
        eventually("it is in force on all").until(() -> table.now().isAfter(said.plus(IN_FORCE)));
        AtomicInteger rows = new AtomicInteger();
        eventually("nodes share the rows").until(() -> {
            table.insert("limited", "limited-" + rows.get() + "-", 30);
            rows.addAndGet(30);
            eventually("they are sent")
                    .until(() -> table.rows("limited-", "completed").size() == rows.get());
            return rows.get() >= 90 && workers("limited-").size() > 1;
        });
        assertThat(limited.mostInFlight()).isEqualTo(2);
        assertThat(table.rows("limited-"))
                .allSatisfy(row -> assertThat(limited.bodies(row.key())).hasSize(1));
        System.out.println(rows + " rows under a limit of 2 by " + workers("limited-") + ": at most "
                + limited.mostInFlight() + " in flight");
    }

    /** The nodes that sent the rows whose keys begin so, each with how many. */
    private Map<String, Integer> workers(String prefix) throws SQLException {
        Map<String, Integer> workers = new TreeMap<>();
        for (Row row : table.rows(prefix)) {
            for (Attempt attempt : table.journal(row.id())) {
                workers.merge(attempt.worker(), 1, Integer::sum);
            }
        }
        return workers;
    }

    /** The ids of the entries whose settlement was refused to the node, by its log. */
    private static Set<String> refusals(ServerProcess node) {
        return node.logged().stream()
                .map(REFUSAL::matcher)
                .filter(Matcher::find)
                .map(refusal -> refusal.group(1))
                .collect(Collectors.toSet());
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }
}
