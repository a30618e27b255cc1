package io.turnframe.outbox.bench;

import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** On a node with dispatch on: from commit to send, from answer to settled, and what it costs to be idle. */
final class Latencies {
    private static final String GROUP = "Latency, wake-up on, a destination that is marked";

    /** A server that has just started compiles what it does often. */
    private static final int WARM_UP_SECONDS = 20;

    private final Settings settings;
    private final BenchDatabase database;
    private final BenchServer server;
    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    Latencies(Settings settings, BenchDatabase database, BenchServer server) {
        this.settings = settings;
        this.database = database;
        this.server = server;
    }

    /** The samples are those of the rounds. */
    List<Line> run() throws Exception {
        database.empty();
        server.measure("latency?rate=500&seconds=" + WARM_UP_SECONDS);
        for (int round = 0; round < settings.rounds(); round++) {
            steady(50);
            steady(500);
        }
        // Before the remote that hangs, whose entries stay out long after they are measured.
        idle();
        besideOneThatHangs();
        List<Line> lines = new ArrayList<>();
        values.forEach((name, samples) -> {
            String unit = name.contains("executions") || name.contains("statements") ? "1" : "ms";
            lines.add(new Line(GROUP, name, Cases.OURS, unit, new Samples(samples)));
        });
        return lines;
    }

    private void steady(int rate) throws Exception {
        Instant begin = Instant.now();
        JsonObject measured = latencies(rate);
        String name = "%d rows/s, ".formatted(rate);
        keep(name + "commit to send, ", samples(measured, "commit_to_send"));
        keep(name + "job executions in %d s".formatted(settings.seconds()), server.executionsSince(begin));
    }

    /** Its remote takes far longer than the rest; its entries are out all the while. */
    private void besideOneThatHangs() throws Exception {
        for (int round = 0; round < settings.rounds(); round++) {
            database.empty();
            database.execute("""
                    INSERT INTO tf_outbox (outbox_id, command_id, destination, payload, idempotency_key, status, created_at)
                    SELECT gen_random_uuid(), gen_random_uuid(), 'slow', '{}', 'hangs-' || i, 'pending', now()
                    FROM generate_series(1, 4) i""");
            keep(
                    "50 rows/s beside a remote that hangs, answer to settled, ",
                    samples(latencies(50), "answer_to_settled"));
        }
    }

    /** Ticks only: nothing is due, nothing is claimed. */
    private void idle() throws Exception {
        database.empty();
        // A run that lingers, and the first ticks after it.
        TimeUnit.SECONDS.sleep(10);
        database.forgetStatements();
        Instant begin = Instant.now();
        TimeUnit.SECONDS.sleep(settings.seconds());
        double statements = database.number("""
                SELECT coalesce(sum(calls), 0) FROM pg_stat_statements s
                JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname = 'outbox'""");
        double seconds = Duration.between(begin, Instant.now()).toNanos() / 1e9;
        keep("idle: statements a second", statements / seconds);
        keep("idle: job executions in %d s".formatted(settings.seconds()), server.executionsSince(begin));
    }

    private JsonObject latencies(int rate) throws Exception {
        return server.measure("latency?rate=" + rate + "&seconds=" + settings.seconds());
    }

    private static Samples samples(JsonObject measured, String name) {
        return new Samples(measured.getJsonArray(name).getValuesAs(JsonNumber::doubleValue));
    }

    private void keep(String name, Samples samples) {
        keep(name + "p50", samples.percentile(0.5));
        keep(name + "p99", samples.percentile(0.99));
    }

    private void keep(String name, double value) {
        System.out.printf("%-70s %10.2f%n", name, value);
        values.computeIfAbsent(name, none -> new ArrayList<>()).add(value);
    }
}
