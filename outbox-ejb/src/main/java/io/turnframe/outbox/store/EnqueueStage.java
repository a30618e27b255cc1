package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Types;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Enqueue: {@code → PENDING}, by an insert that ignores a row that exists. Plain JDBC, since a unique violation met by
 * the persistence provider would mark the caller's transaction for rollback, and on PostgreSQL abort it.
 */
final class EnqueueStage {
    private static final String COLUMNS =
            "(outbox_id, command_id, destination, payload, idempotency_key, status, attempt_count, next_attempt_at,"
                    + " created_at)";

    private static final String ROW = "(?, ?, ?, ?, ?, 'pending', 0, ?, ?)";

    private static final String UNDO = "DELETE FROM tf_outbox WHERE outbox_id = ?";

    /** Rows of one statement: 7 parameters each, and PostgreSQL takes 65,535. */
    private static final int ROWS_PER_STATEMENT = 1_000;

    /** SQLSTATE of a value that was cut. */
    private static final String TRUNCATED = "22001";

    /** What MariaDB warns of for each conflict that it ignored. */
    private static final int MARIADB_DUPLICATE = 1062;

    private final DataSource dataSource;
    private final Database database;

    EnqueueStage(DataSource dataSource, Database database) {
        this.dataSource = dataSource;
        this.database = database;
    }

    /**
     * Stores checked entries, all or none. If another transaction has stored the same key and has not ended yet, it waits
     * as long as the caller's transaction and data source allow.
     *
     * @throws OutboxConflictException naming the first that exists
     */
    void enqueue(List<OutboxEntry> entries) {
        enqueue(entries, insert -> {});
    }

    /** As {@link #enqueue(List)}, in a transaction of ours: it waits no longer than {@link Database#bound} says. */
    void enqueueAlone(OutboxEntry entry) {
        enqueue(List.of(entry), database::bound);
    }

    /** What is set on an insert before it is executed. */
    @FunctionalInterface
    private interface Bound {
        void on(PreparedStatement insert) throws SQLException;
    }

    private void enqueue(List<OutboxEntry> entries, Bound bound) {
        OutboxEntry refused = Jdbc.call(dataSource, connection -> insertAll(connection, entries, bound));
        if (refused != null) {
            throw new OutboxConflictException(
                    "an entry with the id " + refused.outboxId() + ", or with its destination " + refused.destination()
                            + " and its idempotency key, exists",
                    refused.outboxId());
        }
    }

    private OutboxEntry insertAll(Connection connection, List<OutboxEntry> entries, Bound bound) throws SQLException {
        int distinct = distinctIds(entries);
        Set<UUID> stored = new HashSet<>();
        OutboxEntry refused = null;
        for (int from = 0; from < distinct && refused == null; from += ROWS_PER_STATEMENT) {
            refused = insert(
                    connection, entries.subList(from, Math.min(distinct, from + ROWS_PER_STATEMENT)), bound, stored);
        }
        if (refused == null && distinct < entries.size()) {
            refused = entries.get(distinct);
        }
        if (refused != null) {
            undo(connection, stored);
        }
        return refused;
    }

    /**
     * How many entries stand before the first whose id an earlier one has. That one is refused if none before it is; and
     * of ids that stand once each, those that were stored tell which were not.
     */
    private static int distinctIds(List<OutboxEntry> entries) {
        Set<UUID> ids = new HashSet<>();
        int count = 0;
        while (count < entries.size() && ids.add(entries.get(count).outboxId())) {
            count++;
        }
        return count;
    }

    /** Adds the ids it stored to {@code stored}; answers the first entry that it could not store, or null. */
    private OutboxEntry insert(Connection connection, List<OutboxEntry> entries, Bound bound, Set<UUID> stored)
            throws SQLException {
        return database.ignoresConflicts()
                ? insertTogether(connection, entries, bound, stored)
                : insertOneByOne(connection, entries, stored);
    }

    private OutboxEntry insertTogether(Connection connection, List<OutboxEntry> entries, Bound bound, Set<UUID> stored)
            throws SQLException {
        String rows = String.join(", ", Collections.nCopies(entries.size(), ROW));
        try (PreparedStatement insert = connection.prepareStatement(database.insert(COLUMNS, rows))) {
            bound.on(insert);
            int index = 0;
            for (OutboxEntry entry : entries) {
                index = bind(insert, index, entry);
            }
            Set<UUID> inserted = new HashSet<>();
            try (ResultSet ids = insert.executeQuery()) {
                while (ids.next()) {
                    inserted.add(ids.getObject(1, UUID.class));
                }
            }
            refuseChangedValues(insert);
            stored.addAll(inserted);
            for (OutboxEntry entry : entries) {
                if (!inserted.contains(entry.outboxId())) {
                    return entry;
                }
            }
            return null;
        }
    }

    /** MariaDB ignores more than conflicts: a value that its column cannot hold is cut, with a warning. */
    private void refuseChangedValues(PreparedStatement insert) throws SQLException {
        if (database != Database.MARIADB) {
            return;
        }
        for (SQLWarning warning = insert.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            if (warning.getErrorCode() != MARIADB_DUPLICATE) {
                throw new SQLDataException(
                        "the database would have changed a value: " + warning.getMessage(), TRUNCATED);
            }
        }
    }

    private OutboxEntry insertOneByOne(Connection connection, List<OutboxEntry> entries, Set<UUID> stored)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(database.insert(COLUMNS, ROW))) {
            for (OutboxEntry entry : entries) {
                bind(insert, 0, entry);
                try {
                    insert.executeUpdate();
                } catch (SQLException refused) {
                    if (Database.UNIQUE_VIOLATION.equals(refused.getSQLState())) {
                        return entry;
                    }
                    throw refused;
                }
                stored.add(entry.outboxId());
            }
            return null;
        }
    }

    /** Takes back what this call stored before it met a duplicate. */
    private static void undo(Connection connection, Set<UUID> stored) throws SQLException {
        if (stored.isEmpty()) {
            return;
        }
        try (PreparedStatement delete = connection.prepareStatement(UNDO)) {
            for (UUID id : stored) {
                delete.setObject(1, id);
                delete.addBatch();
            }
            delete.executeBatch();
        }
    }

    private int bind(PreparedStatement insert, int after, OutboxEntry entry) throws SQLException {
        int index = after;
        insert.setObject(++index, entry.outboxId());
        insert.setObject(++index, entry.commandId());
        insert.setString(++index, entry.destination());
        bindPayload(insert, ++index, entry.payload());
        insert.setString(++index, entry.idempotencyKey());
        database.bind(insert, ++index, entry.nextAttemptAt());
        database.bind(insert, ++index, entry.createdAt());
        return index;
    }

    /** Untyped on PostgreSQL: a table that another program created may hold the payload as jsonb. */
    private void bindPayload(PreparedStatement insert, int index, String payload) throws SQLException {
        if (database == Database.POSTGRESQL) {
            insert.setObject(index, payload, Types.OTHER);
        } else {
            insert.setString(index, payload);
        }
    }
}
