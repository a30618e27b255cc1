package io.turnframe.outbox.it.faults;

import io.turnframe.outbox.it.harness.Marker;
import io.turnframe.outbox.it.harness.ServerProcess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;

/** The outbox's table on PostgreSQL, from the tests' JVM. A call commits. */
final class Table implements AutoCloseable {
    private static final String INSERT = """
            INSERT INTO tf_outbox (outbox_id, command_id, destination, payload, idempotency_key, status, created_at,
                                   next_attempt_at, attempt_count, claim_worker_id, claim_taken_at, claim_token)
            SELECT gen_random_uuid(), gen_random_uuid(), ?, '{"key": "' || ? || n || '", "card": "%s"}', ? || n, ?, now(), %s
            FROM generate_series(1, ?) n""";

    private final Connection connection;

    /** @param database one of the PostgreSQL of the tests */
    Table(String database) throws SQLException {
        connection = ServerProcess.postgreSql(database);
    }

    /** One row as it is. */
    record Row(
            UUID id,
            String key,
            String status,
            int attempts,
            int forgiven,
            Instant nextAttemptAt,
            String worker,
            Instant claimedAt,
            UUID token,
            boolean marked,
            String lastFailure,
            String remoteRef,
            Instant completedAt) {
        boolean is(String wanted) {
            return status.equals(wanted);
        }

        int budgetUsed() {
            return attempts - forgiven;
        }
    }

    /** One line of the journal. */
    record Attempt(int number, String worker, Instant startedAt, Instant endedAt) {}

    /** Inserts. */
    @FunctionalInterface
    interface Inserts {
        void run() throws SQLException;
    }

    void inOneCommit(Inserts inserts) throws SQLException {
        connection.setAutoCommit(false);
        inserts.run();
        connection.setAutoCommit(true);
    }

    /** Rows that are due, all in one commit; their keys are {@code prefix} and a number from 1 on. */
    void insert(String destination, String prefix, int rows) throws SQLException {
        insert(destination, prefix, rows, "pending", "NULL, 0, NULL, NULL, NULL");
    }

    /** A row that comes due at {@code due}, an expression of SQL. */
    void insertDue(String destination, String prefix, String due) throws SQLException {
        insert(destination, prefix, 1, "pending", due + ", 0, NULL, NULL, NULL");
    }

    /** A row under a claim that nobody we know of holds; it was taken at {@code taken}, an expression of SQL. */
    void insertClaimed(String destination, String prefix, String taken) throws SQLException {
        insert(destination, prefix, 1, "dispatching", "NULL, 1, 'elsewhere', " + taken + ", gen_random_uuid()");
    }

    private void insert(String destination, String prefix, int rows, String status, String columns)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT.formatted(Marker.TEXT, columns))) {
            insert.setString(1, destination);
            insert.setString(2, prefix);
            insert.setString(3, prefix);
            insert.setString(4, status);
            insert.setInt(5, rows);
            insert.executeUpdate();
        }
    }

    /** Waits until nobody else is connected: a commit that a killed server had asked for may still be on its way. */
    void awaitNobodyElse() {
        Awaitility.await("the sessions of the killed server have ended")
                .atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> sessions() == 1);
    }

    private int sessions() throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND backend_type = 'client backend'");
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Puts the claims on these rows back to now: their holder lives. */
    void renewClaims(String prefix) throws SQLException {
        setClaimTime(prefix, "now()");
    }

    /** Lets the claims on these rows grow old at once. */
    void ageClaims(String prefix) throws SQLException {
        setClaimTime(prefix, "claim_taken_at - interval '1 day'");
    }

    private void setClaimTime(String prefix, String time) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE tf_outbox SET claim_taken_at = " + time
                + " WHERE status = 'dispatching' AND starts_with(idempotency_key, ?)")) {
            update.setString(1, prefix);
            update.executeUpdate();
        }
    }

    /** The rows whose keys begin so. */
    List<Row> rows(String prefix) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT * FROM tf_outbox WHERE starts_with(idempotency_key, ?) ORDER BY idempotency_key")) {
            select.setString(1, prefix);
            List<Row> rows = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    rows.add(new Row(
                            row.getObject("outbox_id", UUID.class),
                            row.getString("idempotency_key"),
                            row.getString("status"),
                            row.getInt("attempt_count"),
                            row.getInt("attempts_forgiven"),
                            instant(row, "next_attempt_at"),
                            row.getString("claim_worker_id"),
                            instant(row, "claim_taken_at"),
                            row.getObject("claim_token", UUID.class),
                            row.getTimestamp("send_started_at") != null,
                            row.getString("last_failure"),
                            row.getString("remote_ref"),
                            instant(row, "completed_at")));
                }
            }
            return rows;
        }
    }

    /** Those of {@link #rows(String)} that are in this status. */
    List<Row> rows(String prefix, String status) throws SQLException {
        return rows(prefix).stream().filter(row -> row.is(status)).toList();
    }

    /** How many rows whose keys begin so are in one of these statuses. */
    int count(String prefix, String... statuses) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT count(*) FROM tf_outbox WHERE starts_with(idempotency_key, ?) AND status = ANY (?)")) {
            select.setString(1, prefix);
            select.setArray(2, connection.createArrayOf("text", statuses));
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** The one row with this key. */
    Row row(String key) throws SQLException {
        return rows(key).stream()
                .filter(row -> row.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    /** The journal of a row, in order. */
    List<Attempt> journal(UUID id) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT * FROM tf_outbox_attempt WHERE outbox_id = ? ORDER BY attempt")) {
            select.setObject(1, id);
            List<Attempt> attempts = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    attempts.add(new Attempt(
                            row.getInt("attempt"),
                            row.getString("worker_id"),
                            instant(row, "started_at"),
                            instant(row, "ended_at")));
                }
            }
            return attempts;
        }
    }

    /** The lines of the journal of all rows whose keys begin so. */
    int attempts(String prefix) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT count(*) FROM tf_outbox_attempt a"
                + " JOIN tf_outbox o ON o.outbox_id = a.outbox_id WHERE starts_with(o.idempotency_key, ?)")) {
            select.setString(1, prefix);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** {@code created_at} of a row. */
    Instant createdAt(UUID id) throws SQLException {
        return instant("SELECT created_at FROM tf_outbox WHERE outbox_id = '" + id + "'");
    }

    /** The database's time. */
    Instant now() throws SQLException {
        return instant("SELECT clock_timestamp()");
    }

    private Instant instant(String query) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(query);
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getTimestamp(1).toInstant();
        }
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp timestamp = row.getTimestamp(column);
        return timestamp == null ? null : timestamp.toInstant();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
