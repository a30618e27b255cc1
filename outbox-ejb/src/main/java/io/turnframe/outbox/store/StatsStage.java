package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Counts every entry in one statement. Each arm stands in one index that carries all that the arm reads, so that no row is
 * looked at; the statuses stand in the text, so that partial indexes can be used.
 */
final class StatsStage {
    private static final String COUNTS = """
            SELECT 'pending', destination, COUNT(*),
                   COUNT(CASE WHEN next_attempt_at IS NULL OR next_attempt_at <= ? THEN 1 END),
                   MIN(CASE WHEN next_attempt_at IS NULL THEN created_at
                            WHEN next_attempt_at <= ? THEN next_attempt_at END)
            FROM tf_outbox WHERE %1$s GROUP BY destination
            UNION ALL
            SELECT 'pending', destination, COUNT(*),
                   COUNT(CASE WHEN next_attempt_at <= ? THEN 1 END),
                   MIN(CASE WHEN next_attempt_at <= ? THEN next_attempt_at END)
            FROM tf_outbox WHERE %2$s GROUP BY destination
            UNION ALL
            SELECT 'dispatching', destination, COUNT(*), 0, NULL
            FROM tf_outbox WHERE status = 'dispatching' GROUP BY destination
            UNION ALL
            SELECT 'outcome_unknown', destination, COUNT(*), 0, NULL
            FROM tf_outbox WHERE status = 'outcome_unknown' GROUP BY destination
            UNION ALL
            SELECT status, destination, COUNT(*), 0, NULL
            FROM tf_outbox WHERE status IN ('completed', 'failed') GROUP BY status, destination""";

    /** How often the statement asks for the present instant. */
    private static final int INSTANTS = 4;

    private final DataSource dataSource;
    private final Database database;

    StatsStage(DataSource dataSource, Database database) {
        this.dataSource = dataSource;
        this.database = database;
    }

    OutboxStats stats(Instant now) {
        return Jdbc.call(dataSource, connection -> stats(connection, now));
    }

    private OutboxStats stats(Connection connection, Instant now) throws SQLException {
        String counts =
                COUNTS.formatted(database.queue().readySql(), database.queue().delayedSql());
        Map<Key, Long> byKey = new TreeMap<>(Key.ORDER);
        Map<String, Due> dueByDestination = new TreeMap<>();
        try (PreparedStatement select = connection.prepareStatement(counts)) {
            for (int instant = 1; instant <= INSTANTS; instant++) {
                database.bind(select, instant, now);
            }
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    Key key = new Key(row.getString(2), OutboxStatus.ofLabel(row.getString(1)));
                    byKey.merge(key, row.getLong(3), Long::sum);
                    if (row.getLong(4) > 0) {
                        Due due = new Due(row.getLong(4), Instants.within(database.instant(row, 5)));
                        dueByDestination.merge(key.destination, due, Due::with);
                    }
                }
            }
        }
        List<OutboxStats.Due> due = dueByDestination.entrySet().stream()
                .map(of -> new OutboxStats.Due(
                        of.getKey(), of.getValue().count, of.getValue().age(now)))
                .toList();
        List<OutboxStats.Count> all = byKey.entrySet().stream()
                .map(count ->
                        new OutboxStats.Count(count.getKey().destination, count.getKey().status, count.getValue()))
                .toList();
        Long age = due.isEmpty()
                ? null
                : due.stream()
                        .mapToLong(OutboxStats.Due::oldestAgeSeconds)
                        .max()
                        .getAsLong();
        return new OutboxStats(
                now, due.stream().mapToLong(OutboxStats.Due::count).sum(), age, all, due);
    }

    private record Due(long count, Instant since) {
        Due with(Due other) {
            return new Due(count + other.count, since.isBefore(other.since) ? since : other.since);
        }

        /** In whole seconds; none by a clock that ran ahead. */
        long age(Instant now) {
            return Math.max(0, Duration.between(since, now).toSeconds());
        }
    }

    private record Key(String destination, OutboxStatus status) {
        static final Comparator<Key> ORDER =
                Comparator.comparing(Key::destination).thenComparing(Key::status);
    }
}
