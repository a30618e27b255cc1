package io.turnframe.outbox.bench;

import java.util.List;

/** What a drain of a million rows leaves in the heap. */
final class Memory {
    private static final int ROWS = 1_000_000;

    private static final double MEGABYTE = 1024 * 1024;

    private final BenchDatabase database;
    private final BenchServer server;

    Memory(BenchDatabase database, BenchServer server) {
        this.database = database;
        this.server = server;
    }

    List<Line> run() throws Exception {
        drain(20_000);
        double before = heap();
        double seconds = drain(ROWS);
        double after = heap();
        String group = "Memory";
        return List.of(
                line(group, "heap after collection, before", "MB", before),
                line(group, "heap after collection, after %,d rows".formatted(ROWS), "MB", after),
                line(group, "drain of %,d rows, batch 100, 1 partition".formatted(ROWS), "rows/s", ROWS / seconds));
    }

    private static Line line(String group, String name, String unit, double value) {
        return new Line(group, name, Cases.OURS, unit, new Samples(List.of(value)));
    }

    private double drain(int rows) throws Exception {
        database.empty();
        database.fillDue("deduplicating", rows);
        database.settle();
        return server.awaitEnd(server.dispatch(100, 200, 1));
    }

    private double heap() throws Exception {
        return server.measure("heap").getJsonNumber("bytes").doubleValue() / MEGABYTE;
    }
}
