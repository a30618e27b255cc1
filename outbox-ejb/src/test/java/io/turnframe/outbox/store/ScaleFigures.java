package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What each stage takes on PostgreSQL beside a million rows that it does not want, with plans. It asserts nothing and is
 * no part of the build; docs/operations/databases.md has the command.
 */
class ScaleFigures {
    private static final int ROWS = Integer.getInteger("figures.rows", 1_000_000);
    private static final int READY = 10_000;
    private static final int DRAINED = 20_000;

    private static final Set<String> OTHERS =
            Set.of("destination-0", "destination-1", "destination-2", "destination-3", "destination-4");

    private static final OutboxFilter ALL = new OutboxFilter(null, null, null);

    @Test
    void besideAMillionCompleted() throws Exception {
        try (FiguresDatabase database = new FiguresDatabase()) {
            database.fillCompleted(ROWS);
            ready(database);
            measure(database, "completed rows present");
        }
    }

    @Test
    void behindAMillionNotYetDue() throws Exception {
        try (FiguresDatabase database = new FiguresDatabase()) {
            database.fillDelayed(ROWS);
            ready(database);
            measure(database, "rows not yet due in front");
        }
    }

    @Test
    void withBoth() throws Exception {
        try (FiguresDatabase database = new FiguresDatabase()) {
            database.fillCompleted(ROWS);
            database.fillDelayed(ROWS);
            ready(database);
            measure(database, "completed rows present, as many not yet due in front");
        }
    }

    /** What the others' claims take, each of one destination: those of the held one stand in front of all. */
    @Test
    void behindAMillionOfAHeldDestination() throws Exception {
        try (FiguresDatabase database = new FiguresDatabase()) {
            ready(database);
            reportClaims(database, "no held rows");
            database.fillHeld(ROWS);
            database.execute("VACUUM ANALYZE tf_outbox; CHECKPOINT");
            reportClaims(database, "%,d rows of a held destination in front".formatted(ROWS));
        }
    }

    private static void reportClaims(FiguresDatabase database, String scene) throws Exception {
        System.out.printf("%nFIGURES %s, %,d ready; %s%n", scene, READY, sizes(database));
        FiguresStages timed = new FiguresStages(database.plain());
        FiguresStages explained = new FiguresStages(database.explaining());
        Instant now = timed.read.now();
        AtomicInteger turn = new AtomicInteger();
        report(
                database,
                "claim of 100 of another destination",
                // A plan for any destination is made only after some of a statement's executions.
                35,
                nothing(),
                () -> timed.claim("destination-" + turn.getAndIncrement() % 5, 100, now),
                () -> explained.claim("destination-" + turn.getAndIncrement() % 5, 100, now));
        report(
                database,
                "tick's look at the others",
                35,
                nothing(),
                () -> timed.read.queueState(DestinationScope.only(OTHERS)),
                () -> explained.read.queueState(DestinationScope.only(OTHERS)));
    }

    /**
     * From a full queue to an empty one, by one thread: what the indexes cost. Processor time and log of the database tell
     * it also on a machine that has other work.
     */
    @Test
    void drains() throws Exception {
        try (FiguresDatabase database = new FiguresDatabase()) {
            FiguresStages stages = new FiguresStages(database.plain());
            for (int round = 0; round < 5; round++) {
                database.execute("TRUNCATE tf_outbox CASCADE");
                database.fillReady(DRAINED, "1 ms");
                database.execute("VACUUM ANALYZE tf_outbox; CHECKPOINT");
                long log = database.logPosition();
                Duration processor = database.processorTime();
                long start = System.nanoTime();
                int settled = 0;
                Instant now = stages.read.now();
                for (List<UUID> ids; !(ids = stages.claim(100, now)).isEmpty(); ) {
                    stages.settle(ids, now);
                    settled += ids.size();
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.printf(
                        "FIGURES drain: %d rows claimed, marked and completed in batches of 100: %.0f rows/s; of the"
                                + " database %.0f µs of processor time and %d bytes of log a row%n",
                        settled,
                        settled / seconds,
                        database.processorTime().minus(processor).toNanos() / 1e3 / settled,
                        (database.logPosition() - log) / settled);
            }
            System.out.println("FIGURES " + sizes(database));
        }
    }

    private static void ready(FiguresDatabase database) throws SQLException {
        database.fillReady(READY, "100 ms");
        database.execute("UPDATE tf_outbox SET status = 'failed', last_failure = 'code-' || length(idempotency_key)"
                + " WHERE status = 'completed' AND random() < 0.01");
        database.execute("UPDATE tf_outbox SET status = 'outcome_unknown', completed_at = NULL"
                + " WHERE status = 'completed' AND random() < 0.001");
        database.execute("UPDATE tf_outbox SET destination = 'rare' WHERE idempotency_key IN ('r1', 'd1', 'c1')");
        database.execute("VACUUM ANALYZE tf_outbox; CHECKPOINT");
    }

    private static void measure(FiguresDatabase database, String scene) throws Exception {
        System.out.printf("%nFIGURES %,d %s, %,d ready; %s%n", ROWS, scene, READY, sizes(database));
        FiguresStages timed = new FiguresStages(database.plain());
        FiguresStages explained = new FiguresStages(database.explaining());
        Instant now = timed.read.now();
        Instant old = now.minus(Duration.ofDays(30));

        report(database, "claim of 100", 20, nothing(), () -> timed.claim(100, now), () -> explained.claim(100, now));
        report(
                database,
                "promotion, none due",
                20,
                nothing(),
                () -> timed.promote(timed.read.now()),
                () -> explained.promote(explained.read.now()));
        if (scene.contains("not yet due")) {
            Callable<?> comeDue = () -> {
                database.execute("UPDATE tf_outbox SET next_attempt_at = now() - interval '1 s' WHERE outbox_id IN"
                        + " (SELECT outbox_id FROM tf_outbox WHERE status = 'pending' AND next_attempt_at > now()"
                        + " AND promoted_at IS NULL LIMIT 1000)");
                return null;
            };
            report(
                    database,
                    "promotion of 1,000",
                    10,
                    comeDue,
                    () -> timed.promote(timed.read.now()),
                    () -> explained.promote(explained.read.now()));
        }
        report(
                database,
                "tick's look",
                20,
                nothing(),
                () -> timed.read.queueState(DestinationScope.ALL),
                () -> explained.read.queueState(DestinationScope.ALL));
        report(database, "statistics", 10, nothing(), () -> timed.stats.stats(now), () -> explained.stats.stats(now));
        if (scene.startsWith("completed")) {
            report(database, "purge of 1,000", 10, nothing(), () -> timed.purge(old), () -> explained.purge(old));
        }
        for (Page page : pages(now)) {
            report(database, page.name, 10, nothing(), page.of(timed), page.of(explained));
        }
        UUID failed = (UUID) database.row("SELECT outbox_id FROM tf_outbox WHERE status = 'failed' LIMIT 1")
                .get(0);
        report(database, "one record's story", 10, nothing(), () -> timed.story(failed), () -> explained.story(failed));
        report(database, "dry run of a resubmit", 10, nothing(), timed::plan, explained::plan);
    }

    private static List<Page> pages(Instant now) {
        OutboxFilter.Range days =
                new OutboxFilter.Range(now.minus(Duration.ofDays(50)), now.minus(Duration.ofDays(40)));
        OutboxPosition middle = new OutboxPosition(now.minus(Duration.ofDays(50)), new UUID(-1, -1));
        OutboxFilter failed = ALL.withStatus(OutboxStatus.FAILED);
        return List.of(
                new Page("newest page", ALL, null),
                new Page("page in the middle", ALL, middle),
                new Page("of pending", ALL.withStatus(OutboxStatus.PENDING), null),
                new Page("of pending, from the middle on", ALL.withStatus(OutboxStatus.PENDING), middle),
                new Page("of completed", ALL.withStatus(OutboxStatus.COMPLETED), null),
                new Page("of dispatching (none)", ALL.withStatus(OutboxStatus.DISPATCHING), null),
                new Page("of failed", failed, null),
                new Page("of failed, from the middle on", failed, middle),
                new Page("of outcome_unknown", ALL.withStatus(OutboxStatus.OUTCOME_UNKNOWN), null),
                new Page("of a destination", new OutboxFilter(null, "destination-1", null), null),
                new Page("of a rare destination", new OutboxFilter(null, "rare", null), null),
                new Page("of a command", new OutboxFilter(null, null, new UUID(1, 1)), null),
                new Page("of a code", filter(null, "code-1", null, null, null, null), null),
                new Page(
                        "of failed with a rare code",
                        filter(OutboxStatus.FAILED, "rare", null, null, null, null),
                        null),
                new Page("of a range of creation", filter(null, null, days, null, null, null), null),
                new Page("of a range of due times", filter(null, null, null, days, null, null), null),
                new Page("of a key", filter(null, null, null, null, "c77", null), null),
                new Page(
                        "of a key and its destination",
                        new OutboxFilter(null, "destination-2", null, null, null, null, "c77", null),
                        null),
                new Page("of a key prefix", filter(null, null, null, null, null, "c77"), null),
                new Page("of all of these", filter(OutboxStatus.FAILED, "code-1", days, days, null, "c"), null));
    }

    private static OutboxFilter filter(
            OutboxStatus status,
            String code,
            OutboxFilter.Range created,
            OutboxFilter.Range due,
            String key,
            String prefix) {
        return new OutboxFilter(status, null, null, code, created, due, key, prefix);
    }

    private record Page(String name, OutboxFilter filter, OutboxPosition after) {
        Callable<?> of(FiguresStages stages) {
            return () -> stages.page(filter, after);
        }
    }

    /** Once for the plan; then a few times to warm up, and as often as asked for the figures. */
    private static void report(
            FiguresDatabase database,
            String name,
            int times,
            Callable<?> before,
            Callable<?> timed,
            Callable<?> explained)
            throws Exception {
        before.call();
        List<String> plans = database.plans(explained);
        List<Double> millis = new ArrayList<>();
        for (int i = -3; i < times; i++) {
            before.call();
            long start = System.nanoTime();
            timed.call();
            if (i >= 0) {
                millis.add((System.nanoTime() - start) / 1e6);
            }
        }
        millis.sort(null);
        System.out.printf(
                "FIGURES %-40s median %8.1f ms, longest %8.1f ms%n",
                name, millis.get(millis.size() / 2), millis.get(millis.size() - 1));
        plans.forEach(plan -> System.out.println("PLAN of " + name + ": " + plan + "\n"));
    }

    private static Callable<?> nothing() {
        return () -> null;
    }

    private static String sizes(FiguresDatabase database) throws SQLException {
        return (String) database.row("""
                        SELECT 'table ' || pg_size_pretty(pg_relation_size('tf_outbox')) || ', ' || string_agg(
                            indexrelname || ' ' || pg_size_pretty(pg_relation_size(indexrelid)), ', ' ORDER BY indexrelname)
                        FROM pg_stat_user_indexes WHERE relname = 'tf_outbox'""").get(0);
    }
}
