package io.turnframe.outbox.bench.server;

import com.github.f4b6a3.uuid.UuidCreator;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The same state changes on the same table in hand-written SQL for PostgreSQL: the least that a transactional outbox can
 * cost. It has no senders, deadlines, retries, limits or counts.
 */
final class Floor {
    private static final String CLAIM = """
            WITH due AS (
                SELECT outbox_id FROM tf_outbox
                WHERE status = 'pending' AND (next_attempt_at IS NULL OR promoted_at >= next_attempt_at)
                ORDER BY created_at, outbox_id LIMIT ? FOR UPDATE SKIP LOCKED)
            UPDATE tf_outbox o
            SET status = 'dispatching', attempt_count = attempt_count + 1,
                claim_worker_id = 'floor', claim_taken_at = now(), claim_token = ?, send_started_at = NULL
            FROM due WHERE o.outbox_id = due.outbox_id
            RETURNING o.outbox_id, o.command_id, o.destination, o.payload, o.idempotency_key, o.attempt_count, o.created_at""";

    private static final String HELD = " WHERE outbox_id = ANY(?) AND claim_token = ? AND status = 'dispatching'";

    private static final String MARK = "UPDATE tf_outbox SET send_started_at = now()" + HELD;

    private static final String SETTLE =
            "UPDATE tf_outbox SET status = 'completed', completed_at = now(), claim_worker_id = NULL,"
                    + " claim_taken_at = NULL, send_started_at = NULL" + HELD;

    private static final String ENQUEUE = "INSERT INTO tf_outbox (outbox_id, command_id, destination, payload,"
            + " idempotency_key, status, attempt_count, created_at) VALUES (?, ?, ?, ?, ?, 'pending', 0, ?)";

    private final DataSource dataSource;

    Floor(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Claims, marks if {@code marked}, and settles until nothing is due, on this thread. */
    void drain(int batch, boolean marked) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            UUID token = UUID.randomUUID();
            List<UUID> ids = claim(connection, batch, token);
            while (!ids.isEmpty()) {
                if (marked) {
                    change(connection, MARK, ids, token);
                }
                change(connection, SETTLE, ids, token);
                token = UUID.randomUUID();
                ids = claim(connection, batch, token);
            }
            connection.setAutoCommit(true);
        }
    }

    private static List<UUID> claim(Connection connection, int batch, UUID token) throws SQLException {
        List<UUID> ids = new ArrayList<>();
        try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
            claim.setInt(1, batch);
            claim.setObject(2, token);
            try (ResultSet rows = claim.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getObject(1, UUID.class));
                    rows.getObject(2, UUID.class);
                    rows.getString(3);
                    rows.getString(4);
                    rows.getString(5);
                    rows.getInt(6);
                    rows.getObject(7, OffsetDateTime.class);
                }
            }
        }
        connection.commit();
        return ids;
    }

    private static void change(Connection connection, String sql, List<UUID> ids, UUID token) throws SQLException {
        Array array = connection.createArrayOf("uuid", ids.toArray());
        try (PreparedStatement change = connection.prepareStatement(sql)) {
            change.setArray(1, array);
            change.setObject(2, token);
            if (change.executeUpdate() != ids.size()) {
                throw new IllegalStateException("a claim was lost, though nobody else claims");
            }
        }
        connection.commit();
    }

    /** Inserts {@code count} rows in one transaction, as a JDBC batch if they are several. */
    void enqueue(String key, int count) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(ENQUEUE)) {
                for (int i = 0; i < count; i++) {
                    insert.setObject(1, UuidCreator.getTimeOrderedEpochPlus1());
                    insert.setObject(2, UUID.randomUUID());
                    insert.setString(3, "floor");
                    insert.setString(4, Payload.TEXT);
                    insert.setString(5, key + "-" + i);
                    insert.setObject(6, OffsetDateTime.now(ZoneOffset.UTC));
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }
}
