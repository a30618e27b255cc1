package io.turnframe.outbox.bench;

import io.turnframe.outbox.bench.Cases.Measure;
import java.util.LinkedHashMap;
import java.util.List;

/** Rows per second: drains with a remote that answers at once, with one that takes 20 ms, and enqueues. */
final class Throughput {
    /** Sends in flight on a node at most. */
    private static final int MOST_CONCURRENT = 256;

    /** Threads that execute the peer's tasks; more than its pool has connections would wait for them. */
    private static final int PEER_THREADS = 16;

    private static final int ENQUEUERS = 8;

    private static final int SLOW_MILLIS = 20;

    /** A drain that is bound by its remote is of as many rows as that takes in this time, or of half of those of others. */
    private static final int SLOW_SECONDS = 4;

    private final Settings settings;
    private final BenchDatabase database;
    private final BenchServer server;

    Throughput(Settings settings, BenchDatabase database, BenchServer server) {
        this.settings = settings;
        this.database = database;
        this.server = server;
    }

    List<Line> drain() throws Exception {
        Cases cases = new Cases(settings, "Drain, a sender that answers at once", "rows/s");
        for (int batch : settings.batches()) {
            for (int partitions : settings.partitions()) {
                for (boolean marked : List.of(false, true)) {
                    LinkedHashMap<String, Measure> contenders = new LinkedHashMap<>();
                    contenders.put(Cases.OURS, () -> outbox(batch, partitions, marked));
                    contenders.put(Cases.FLOOR, () -> floor(batch, partitions, marked));
                    if (!marked) {
                        contenders.put(Cases.PEER, () -> peer(batch, PEER_THREADS, 0, settings.rows()));
                    }
                    cases.add(
                            "batch %d, partitions %d%s".formatted(batch, partitions, marked ? ", marked" : ""),
                            contenders);
                }
            }
        }
        return cases.run();
    }

    List<Line> slow() throws Exception {
        Cases cases = new Cases(settings, "Drain, a sender that takes 20 ms", "rows/s");
        for (int concurrency : settings.concurrencies()) {
            int ideal = concurrency * 1_000 / SLOW_MILLIS;
            int rows = Math.min(settings.rows() / 2, ideal * SLOW_SECONDS);
            LinkedHashMap<String, Measure> contenders = new LinkedHashMap<>();
            contenders.put(Cases.OURS, () -> {
                database.empty();
                database.fillDue("slow", rows);
                database.settle();
                return rows / server.awaitEnd(server.dispatch(100, concurrency, 1));
            });
            contenders.put(Cases.PEER, () -> peer(100, concurrency, SLOW_MILLIS, rows));
            cases.add("concurrency %d (ideal: %d)".formatted(concurrency, ideal), contenders);
        }
        return cases.run();
    }

    List<Line> enqueue() throws Exception {
        Cases cases = new Cases(settings, "Enqueue from %d threads".formatted(ENQUEUERS), "rows/s");
        for (int perTransaction : List.of(1, 100)) {
            LinkedHashMap<String, Measure> contenders = new LinkedHashMap<>();
            for (String contender : List.of(Cases.OURS, Cases.FLOOR, Cases.PEER)) {
                contenders.put(contender, () -> enqueue(contender, perTransaction));
            }
            cases.add("%d a transaction".formatted(perTransaction), contenders);
        }
        return cases.run();
    }

    /** One a transaction, beside rows that are there already. */
    List<Line> enqueueBeside(String others) throws Exception {
        Cases cases = new Cases(settings, "Enqueue from %d threads, beside others".formatted(ENQUEUERS), "rows/s");
        LinkedHashMap<String, Measure> contenders = new LinkedHashMap<>();
        for (String contender : List.of(Cases.OURS, Cases.FLOOR)) {
            contenders.put(contender, () -> enqueueMore(contender, 1));
        }
        cases.add("1 a transaction, beside " + others, contenders);
        return cases.run();
    }

    private double outbox(int batch, int partitions, boolean marked) throws Exception {
        database.empty();
        database.fillDue(marked ? "marked" : "deduplicating", settings.rows());
        database.settle();
        int concurrency = Math.min(MOST_CONCURRENT, 2 * batch * partitions);
        return settings.rows() / server.awaitEnd(server.dispatch(batch, concurrency, partitions));
    }

    private double floor(int batch, int threads, boolean marked) throws Exception {
        database.empty();
        database.fillDue("floor", settings.rows());
        database.settle();
        return settings.rows() / seconds("drain/jdbc?batch=" + batch + "&threads=" + threads + "&marked=" + marked);
    }

    private double peer(int batch, int threads, int sleep, int rows) throws Exception {
        database.empty();
        database.fillPeer(rows);
        database.settle();
        return rows / seconds("drain/db-scheduler?batch=" + batch + "&threads=" + threads + "&sleep=" + sleep);
    }

    private double enqueue(String contender, int perTransaction) throws Exception {
        database.empty();
        database.settle();
        return enqueueMore(contender, perTransaction);
    }

    private double enqueueMore(String contender, int perTransaction) throws Exception {
        String who = contender.equals(Cases.FLOOR) ? "jdbc" : contender;
        int rows = perTransaction == 1 ? settings.rows() / 2 : settings.rows() * 2;
        return rows / seconds("enqueue/" + who + "?rows=" + rows + "&per=" + perTransaction + "&threads=" + ENQUEUERS);
    }

    private double seconds(String what) throws Exception {
        return server.measure(what).getJsonNumber("seconds").doubleValue();
    }
}
