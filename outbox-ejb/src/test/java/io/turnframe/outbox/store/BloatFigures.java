package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a transaction that somebody leaves open does to a PostgreSQL under load: steady enqueues and two workers, first
 * without it, then beside it, then after its end. It asserts nothing and is no part of the build;
 * docs/operations/databases.md has the command.
 */
class BloatFigures {
    private static final Duration BEFORE = Duration.ofMinutes(Integer.getInteger("figures.before", 2));
    private static final Duration BESIDE = Duration.ofMinutes(Integer.getInteger("figures.beside", 10));
    private static final Duration AFTER = Duration.ofMinutes(Integer.getInteger("figures.after", 3));

    /** Completed rows that are there before. */
    private static final int COMPLETED = Integer.getInteger("figures.completed", 0);

    /** Rows enqueued a second. */
    private static final int RATE = Integer.getInteger("figures.rate", 300);

    private static final int ENQUEUES_PER_SECOND = 10;
    private static final int WORKERS = 2;
    private static final Duration LINE = Duration.ofSeconds(30);

    private static final String PAYLOAD = "{\"booking\":\"" + "x".repeat(200) + "\"}";

    private final AtomicBoolean running = new AtomicBoolean(true);

    /** Of each claim since the last line: nanoseconds, and rows. */
    private final ConcurrentLinkedQueue<long[]> claims = new ConcurrentLinkedQueue<>();

    @Test
    void besideATransactionThatIsLeftOpen() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(1 + WORKERS);
        try (FiguresDatabase database = new FiguresDatabase()) {
            System.out.println("FIGURES storage parameters: "
                    + database.row("SELECT reloptions::text FROM pg_class WHERE oid = 'tf_outbox'::regclass"));
            database.fillCompleted(COMPLETED);
            database.execute("VACUUM ANALYZE tf_outbox; CHECKPOINT");
            List<Future<?>> load = new ArrayList<>();
            load.add(threads.submit(enqueuing(database)));
            for (int worker = 0; worker < WORKERS; worker++) {
                load.add(threads.submit(working(database)));
            }
            watch(database, "before", BEFORE);
            try (Connection open = database.plain().getConnection();
                    Statement statement = open.createStatement()) {
                open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                open.setAutoCommit(false);
                statement.executeQuery("SELECT 1 FROM tf_outbox LIMIT 1").close();
                watch(database, "beside", BESIDE);
                open.rollback();
                open.setAutoCommit(true);
            }
            watch(database, "after", AFTER);
            running.set(false);
            for (Future<?> thread : load) {
                thread.get();
            }
        } finally {
            running.set(false);
            threads.shutdownNow();
        }
    }

    private Callable<?> enqueuing(FiguresDatabase database) {
        return () -> {
            EnqueueStage enqueue = new EnqueueStage(database.plain(), Database.POSTGRESQL);
            long next = System.nanoTime();
            while (running.get()) {
                enqueue.enqueue(IntStream.range(0, RATE / ENQUEUES_PER_SECOND)
                        .mapToObj(n -> OutboxEntry.pending(
                                UUID.randomUUID(),
                                "destination-" + n % 5,
                                UUID.randomUUID().toString(),
                                PAYLOAD))
                        .toList());
                next += TimeUnit.SECONDS.toNanos(1) / ENQUEUES_PER_SECOND;
                pause(next - System.nanoTime());
            }
            return null;
        };
    }

    private Callable<?> working(FiguresDatabase database) {
        return () -> {
            FiguresStages stages = new FiguresStages(database.plain());
            while (running.get()) {
                Instant now = stages.read.now();
                long start = System.nanoTime();
                List<UUID> ids = stages.claim(100, now);
                claims.add(new long[] {System.nanoTime() - start, ids.size()});
                stages.settle(ids, now);
                if (ids.isEmpty()) {
                    pause(TimeUnit.MILLISECONDS.toNanos(50));
                }
            }
            return null;
        };
    }

    private void watch(FiguresDatabase database, String phase, Duration duration)
            throws SQLException, InterruptedException {
        long start = System.nanoTime();
        for (long line = 1; line * LINE.toNanos() <= duration.toNanos(); line++) {
            pause(start + line * LINE.toNanos() - System.nanoTime());
            List<long[]> seen = new ArrayList<>();
            for (long[] claim; (claim = claims.poll()) != null; ) {
                seen.add(claim);
            }
            long[] nanos = seen.stream().mapToLong(claim -> claim[0]).sorted().toArray();
            long rows = seen.stream().mapToLong(claim -> claim[1]).sum();
            System.out.printf(
                    "FIGURES %-6s %4d s: %4d rows/s in %4d claims, median %6.1f ms, 99%% %6.1f ms, longest %6.1f ms; %s%n",
                    phase,
                    line * LINE.toSeconds(),
                    rows / LINE.toSeconds(),
                    nanos.length,
                    millis(nanos, 0.5),
                    millis(nanos, 0.99),
                    millis(nanos, 1),
                    database.row("""
                            SELECT 'ready ' || (SELECT count(*) FROM tf_outbox WHERE status = 'pending')
                                || ', live ' || n_live_tup || ', dead ' || n_dead_tup || ', vacuums ' || autovacuum_count
                                || ', table ' || pg_size_pretty(pg_relation_size(relid))
                                || ', indexes ' || pg_size_pretty(pg_indexes_size(relid))
                                || ', ready index ' || pg_size_pretty(pg_relation_size('tf_outbox_ready'))
                            FROM pg_stat_user_tables WHERE relname = 'tf_outbox'""").get(0));
        }
    }

    private static double millis(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
    }

    private static void pause(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos));
    }
}
