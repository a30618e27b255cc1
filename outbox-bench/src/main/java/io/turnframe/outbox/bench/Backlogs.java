package io.turnframe.outbox.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a claim of 100 rows costs beside many that wait, on the drain of the job itself. */
final class Backlogs {
    private static final String GROUP = "Claim, time of the locking statements in the database for 100 rows";

    private static final String DUE = "deduplicating";

    private static final String HELD = "slow";

    private static final int FEW = 10_000;

    private static final int MANY = 1_000_000;

    private static final int RETRIES = 300_000;

    /** Of a server that has many. */
    static final int DESTINATIONS = 10_000;

    /** A drain is watched for so long. */
    private static final int SECONDS = 3;

    private static final Pattern CLAIM = Pattern.compile(
            "(?s)duration: [^\\n]*plan:\\n(?:(?!\\n\\d{4}-).)*?FOR UPDATE SKIP LOCKED(?:(?!\\n\\d{4}-).)*");

    private final Settings settings;
    private final BenchDatabase database;
    private final BenchServer server;
    private final Throughput throughput;

    Backlogs(Settings settings, BenchDatabase database, BenchServer server) {
        this.settings = settings;
        this.database = database;
        this.server = server;
        this.throughput = new Throughput(settings, database, server);
    }

    /** Fills the table. */
    @FunctionalInterface
    private interface Fill {
        void rows() throws Exception;
    }

    /** With the destinations that every server has. */
    List<Line> run() throws Exception {
        List<Line> lines = new ArrayList<>();
        int last = 0;
        for (int backlog : settings.backlogs()) {
            lines.add(claims("%,d due".formatted(backlog), () -> database.fillDue(DUE, backlog)));
            last = backlog;
        }
        lines.addAll(throughput.enqueueBeside("%,d due".formatted(last)));
        lines.add(beside("behind %,d not yet due".formatted(MANY), () -> database.fillDelayed(DUE, MANY)));
        lines.add(beside("beside %,d completed".formatted(MANY), () -> database.fillCompleted(DUE, MANY)));
        lines.add(beside(
                "and %,d retries come due at once".formatted(RETRIES), () -> database.fillRetries(DUE, RETRIES)));
        server.hold(HELD, true);
        lines.add(beside("behind %,d of a held destination".formatted(MANY), () -> database.fillOlder(HELD, MANY)));
        server.hold(HELD, false);
        return lines;
    }

    /** With {@value #DESTINATIONS} more destinations. */
    List<Line> runOfMany() throws Exception {
        return List.of(claims(
                "%,d due of %,d destinations".formatted(MANY, DESTINATIONS),
                () -> database.fillDueOfMany(DESTINATIONS, MANY)));
    }

    private Line beside(String what, Fill others) throws Exception {
        return claims("%,d due, %s".formatted(FEW, what), () -> {
            others.rows();
            database.fillDue(DUE, FEW);
        });
    }

    private Line claims(String name, Fill fill) throws Exception {
        database.empty();
        fill.rows();
        database.settle();
        List<Double> means = new ArrayList<>();
        // The first only warms up.
        for (int round = 0; round <= settings.rounds(); round++) {
            database.forgetStatements();
            long execution = server.dispatch(100, 200, 1);
            TimeUnit.SECONDS.sleep(round == 0 ? 1 : SECONDS);
            server.stop(execution);
            server.awaitEnd(execution);
            double mean = database.number("""
                    SELECT coalesce(100 * sum(total_exec_time) / nullif(sum(rows), 0), 0) FROM pg_stat_statements
                    WHERE query LIKE 'SELECT%OCTET_LENGTH%FOR UPDATE SKIP LOCKED'""");
            System.out.printf("%-70s %10.3f ms%n", name, mean);
            if (round > 0) {
                means.add(mean);
            }
            database.execute("""
                    UPDATE tf_outbox
                    SET status = 'pending', completed_at = NULL, claim_token = NULL, promoted_at = NULL
                    WHERE claim_token IS NOT NULL OR promoted_at IS NOT NULL""");
            database.settle();
        }
        return new Line(GROUP, name, Cases.OURS, "ms", new Samples(means));
    }

    /** The plan of a claim among so many due rows, as the database logged it. */
    String plan(int rows) throws Exception {
        database.empty();
        database.fillDue("deduplicating", rows);
        database.settle();
        database.explain(true);
        server.awaitEnd(server.dispatch(100, 200, 1));
        database.explain(false);
        TimeUnit.SECONDS.sleep(1);
        Matcher plan = CLAIM.matcher(database.log());
        String last = "the log has none";
        while (plan.find()) {
            last = plan.group();
            if (last.contains("actual") && last.contains("rows=100")) {
                break;
            }
        }
        return last.replaceAll("(?m)^\\s+$", "").strip();
    }
}
