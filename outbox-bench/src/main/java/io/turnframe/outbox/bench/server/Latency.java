package io.turnframe.outbox.bench.server;

import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Enqueues at a steady rate and compares when each entry was committed, sent and settled. */
@RequestScoped
public class Latency {
    private static final int THREADS = 8;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String SETTLED = """
            SELECT idempotency_key, completed_at FROM tf_outbox
            WHERE destination = ? AND starts_with(idempotency_key, ?) AND completed_at IS NOT NULL""";

    @Inject
    private Workers workers;

    @EJB
    private Enqueuer enqueuer;

    /**
     * In milliseconds, one value for each entry.
     *
     * @param commitToSend from the return of the committing call until the sender was called; 0 if it was called before
     * @param answerToSettled from there until the time that the settlement wrote
     */
    record Latencies(List<Double> commitToSend, List<Double> answerToSettled) {}

    Latencies measure(DataSource dataSource, String destination, int perSecond, int seconds)
            throws InterruptedException, ExecutionException, SQLException, TimeoutException {
        StampSender.STAMPS.clear();
        Map<String, Long> committed = new ConcurrentHashMap<>();
        int count = perSecond * seconds;
        String prefix = Long.toString(System.nanoTime(), Character.MAX_RADIX) + "-";
        long begin = System.nanoTime();
        workers.run(THREADS, thread -> {
            for (int i = thread; i < count; i += THREADS) {
                long at = begin + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
                for (long left; (left = at - System.nanoTime()) > 0; ) {
                    LockSupport.parkNanos(left);
                }
                enqueuer.enqueue(destination, prefix + i, 1);
                committed.put(prefix + i, System.nanoTime());
            }
        });
        Map<String, Instant> settled = awaitSettled(dataSource, destination, prefix, count);
        List<Double> toSend = new ArrayList<>();
        List<Double> toSettled = new ArrayList<>();
        committed.forEach((key, at) -> {
            StampSender.Stamp sent = StampSender.STAMPS.get(key);
            toSend.add(Math.max(0, sent.nanos() - at) / 1e6);
            toSettled.add(
                    Math.max(0, Duration.between(sent.wall(), settled.get(key)).toNanos()) / 1e6);
        });
        return new Latencies(toSend, toSettled);
    }

    private static Map<String, Instant> awaitSettled(
            DataSource dataSource, String destination, String prefix, int count) throws SQLException, TimeoutException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            Map<String, Instant> settled = settled(dataSource, destination, prefix);
            if (settled.size() >= count) {
                return settled;
            }
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
        throw new TimeoutException("not all of " + count + " entries were settled in " + PATIENCE);
    }

    private static Map<String, Instant> settled(DataSource dataSource, String destination, String prefix)
            throws SQLException {
        Map<String, Instant> settled = new ConcurrentHashMap<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement(SETTLED)) {
            select.setString(1, destination);
            select.setString(2, prefix);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    settled.put(
                            rows.getString(1),
                            rows.getObject(2, OffsetDateTime.class).toInstant());
                }
            }
        }
        return settled;
    }
}
