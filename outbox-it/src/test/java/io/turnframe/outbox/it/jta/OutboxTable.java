package io.turnframe.outbox.it.jta;

import io.turnframe.outbox.it.harness.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;

/** The outbox's table through a connection of the test's own, also while the server is down. */
final class OutboxTable implements AutoCloseable {
    /** A transaction of ours that stays prepared; the server's recovery knows nothing of it. */
    private static final String HELD = "'held-by-the-test'";

    private final TestServer server;
    private final Connection connection;
    private final boolean postgresql;

    OutboxTable(TestServer server) throws SQLException {
        this.server = server;
        connection = server.database();
        postgresql = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    /** Of connections that are opened from now on: MariaDB would wait 50 s, and the test with it. */
    void boundLockWaits(int seconds) throws SQLException {
        if (!postgresql) {
            execute(connection, "SET GLOBAL innodb_lock_wait_timeout = " + seconds);
        }
    }

    /** Rows that have something coming to them. */
    enum Kind {
        /** To be claimed. */
        READY("'pending', 0, NULL, NULL, NULL, NULL"),
        /** To be promoted and claimed. */
        DELAYED("'pending', 0, %1$s - INTERVAL '1' HOUR, NULL, NULL, NULL"),
        /** To be released, and claimed again. */
        ABANDONED("'dispatching', 1, NULL, NULL, 'gone', %1$s - INTERVAL '1' HOUR"),
        /** To be purged. */
        OLD("'completed', 1, NULL, %1$s - INTERVAL '2' DAY, NULL, NULL");

        private final String values;

        Kind(String values) {
            this.values = values;
        }
    }

    /** Stores one row of each kind, older than any other. */
    Map<Kind, UUID> insertOneOfEach() throws SQLException {
        String now = postgresql ? "CURRENT_TIMESTAMP" : "UTC_TIMESTAMP(6)";
        Map<Kind, UUID> rows = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            UUID id = UUID.randomUUID();
            execute(
                    connection,
                    ("INSERT INTO tf_outbox (outbox_id, command_id, destination, payload, idempotency_key, created_at,"
                                    + " status, attempt_count, next_attempt_at, completed_at, claim_worker_id, claim_taken_at)"
                                    + " VALUES ('%2$s', '%2$s', 'airline', '{\"booking\":\"%2$s\",\"passenger\":\"A\","
                                    + "\"flight\":\"TF1\",\"behaviour\":\"accept\"}', '%2$s', %1$s - INTERVAL '3' DAY, "
                                    + kind.values + ")")
                            .formatted(now, id));
            rows.put(kind, id);
        }
        return rows;
    }

    /** Changes the rows in a transaction that is prepared and neither committed nor rolled back. */
    void hold(Collection<UUID> rows) throws SQLException {
        try (Connection holder = server.database()) {
            execute(holder, postgresql ? "BEGIN" : "XA START " + HELD);
            for (UUID row : rows) {
                execute(holder, "UPDATE tf_outbox SET last_failure = 'held' WHERE outbox_id = '" + row + "'");
            }
            if (postgresql) {
                execute(holder, "PREPARE TRANSACTION " + HELD);
            } else {
                execute(holder, "XA END " + HELD);
                execute(holder, "XA PREPARE " + HELD);
            }
        }
    }

    void letGo() throws SQLException {
        execute(connection, (postgresql ? "ROLLBACK PREPARED " : "XA ROLLBACK ") + HELD);
    }

    /** Leaves nothing to do for a test that comes after. */
    void clear() throws SQLException {
        execute(connection, "DELETE FROM tf_outbox");
    }

    /** How many transactions are prepared, on any database of this server. */
    int inDoubt() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(postgresql ? "SELECT * FROM pg_prepared_xacts" : "XA RECOVER")) {
            int count = 0;
            while (row.next()) {
                count++;
            }
            return count;
        }
    }

    /** The status of a row, or null if there is no such row. */
    String status(UUID id) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT status FROM tf_outbox WHERE outbox_id = ?")) {
            select.setObject(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
