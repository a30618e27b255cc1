package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TypedQuery;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.persistence.config.HintValues;
import org.eclipse.persistence.config.QueryHints;

/** Reads records, and what a timer needs to know. */
final class ReadStage {
    private static final String BY_ID = "select o from OutboxRow o where o.outboxId = :id";

    private static final String STATUS = "select o.status from OutboxRow o where o.outboxId = :id";

    private static final String BY_COMMAND = """
            select o from OutboxRow o where o.commandId = :commandId
            order by o.createdAt, o.outboxId""";

    /** Each part is answered by one entry of an index: now, ready, delayed, claimed. */
    private static final String QUEUE_STATE = """
            SELECT %1$s, %2$s,
                   (SELECT MIN(next_attempt_at) FROM tf_outbox WHERE %3$s%4$s),
                   (SELECT MIN(claim_taken_at) FROM tf_outbox WHERE status = 'dispatching')""";

    /** Asked for in order: for a mere EXISTS PostgreSQL may walk the table. */
    private static final String FIRST_READY =
            "(SELECT created_at FROM tf_outbox WHERE %s%s ORDER BY created_at, outbox_id LIMIT 1)";

    private final EntityManager em;
    private final DataSource dataSource;
    private final Database database;

    ReadStage(EntityManager em, DataSource dataSource, Database database) {
        this.em = em;
        this.dataSource = dataSource;
        this.database = database;
    }

    OutboxRecord get(UUID outboxId) {
        return fresh(em.createQuery(BY_ID, OutboxRow.class).setParameter("id", outboxId)).stream()
                .findFirst()
                .map(OutboxRow::toRecord)
                .orElseThrow(() -> new OutboxNotFoundException(outboxId));
    }

    List<OutboxRecord> listForCommand(UUID commandId) {
        return fresh(em.createQuery(BY_COMMAND, OutboxRow.class).setParameter("commandId", commandId)).stream()
                .map(OutboxRow::toRecord)
                .toList();
    }

    /** @throws OutboxNotFoundException if there is no such row */
    OutboxStatus status(UUID outboxId) {
        return em.createQuery(STATUS, OutboxStatus.class)
                .setParameter("id", outboxId)
                .getResultStream()
                .findFirst()
                .orElseThrow(() -> new OutboxNotFoundException(outboxId));
    }

    /** The database's time. */
    Instant now() {
        return row("SELECT " + database.now(), List.of(), row -> database.instant(row, 1));
    }

    QueueState queueState(DestinationScope scope) {
        // A claim looks at the time of a promoted row, too: should the clock have gone back, it is not due yet.
        String readySql = database.queue().readySql() + " AND (next_attempt_at IS NULL OR next_attempt_at <= "
                + database.now() + ")";
        List<String> names = List.copyOf(scope.destinations());
        String list = " (" + String.join(", ", Collections.nCopies(names.size(), "?")) + ")";
        String filter = names.isEmpty() ? "" : " AND destination" + (scope.exclusive() ? " NOT IN" : " IN") + list;
        // One after the other by the index of the destination, or the rows that stand before theirs would be walked.
        String ready = names.isEmpty() || scope.exclusive()
                ? FIRST_READY.formatted(readySql, filter)
                : "COALESCE("
                        + String.join(", ", Collections.nCopies(names.size(), database.oldestOfOne(readySql)))
                        + ", NULL)";
        String select =
                QUEUE_STATE.formatted(database.now(), ready, database.queue().delayedSql(), filter);
        int times = names.isEmpty() || scope.exclusive() ? 1 : database.timesBound();
        List<String> bound = names.stream()
                .flatMap(name -> Collections.nCopies(times, name).stream())
                .toList();
        return row(select, concat(bound, names), row -> {
            Instant now = database.instant(row, 1);
            Instant firstReady = database.instant(row, 2);
            Instant nextDue = Instants.within(database.instant(row, 3));
            Instant oldestClaim = Instants.within(database.instant(row, 4));
            return new QueueState(
                    firstReady != null || nextDue != null && !nextDue.isAfter(now),
                    nextDue == null ? null : Duration.between(now, nextDue),
                    oldestClaim == null ? null : Duration.between(oldestClaim, now));
        });
    }

    /** Reads the columns of a row. */
    @FunctionalInterface
    private interface Columns<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> T row(String select, List<String> parameters, Columns<T> columns) {
        return Jdbc.call(dataSource, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(select)) {
                for (int i = 0; i < parameters.size(); i++) {
                    statement.setString(i + 1, parameters.get(i));
                }
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return columns.read(row);
                }
            }
        });
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** Bulk statements of the same transaction change rows behind what the entity manager has read before. */
    private static List<OutboxRow> fresh(TypedQuery<OutboxRow> query) {
        return query.setHint(QueryHints.REFRESH, HintValues.TRUE).getResultList();
    }
}
