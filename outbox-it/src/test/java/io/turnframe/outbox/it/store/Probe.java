package io.turnframe.outbox.it.store;

import io.turnframe.outbox.store.Database;
import io.turnframe.outbox.store.OutboxDataSource;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** What a test inside the server needs besides the store: the table as it is, and transactions. */
final class Probe {
    /** Where the store's local view is, for a module of the same application. */
    static final String STORE = "java:app/outbox-ejb/OutboxStoreBean!io.turnframe.outbox.store.DispatchStore";

    private Probe() {}

    /** Empties the table. */
    static void clear() {
        execute("DELETE FROM tf_outbox");
    }

    static void execute(String sql) {
        try (Connection connection = OutboxDataSource.lookup().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    /** The number in a column of the first row. */
    static long number(String sql, int column) {
        try (Connection connection = OutboxDataSource.lookup().getConnection();
                PreparedStatement select = connection.prepareStatement(sql);
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(column);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    /** Every column of a row as text, by its name; null if there is no such row. */
    static Map<String, String> row(UUID id) {
        try (Connection connection = OutboxDataSource.lookup().getConnection();
                PreparedStatement select = connection.prepareStatement("SELECT * FROM tf_outbox WHERE outbox_id = ?")) {
            select.setObject(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? columns(row) : null;
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** In the present transaction: whoever waits for a lock fails soon, so that a test fails and does not hang. */
    static void giveUpWaitingForLocks() {
        execute(
                switch (database()) {
                    case H2 -> "SET LOCK_TIMEOUT 2000";
                    case POSTGRESQL -> "SET LOCAL lock_timeout = '2s'";
                    case MARIADB -> "SET innodb_lock_wait_timeout = 2";
                });
    }

    /** The database under the store. */
    static Database database() {
        try {
            return Database.of(OutboxDataSource.lookup());
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Map<String, String> columns(ResultSet row) throws SQLException {
        ResultSetMetaData metaData = row.getMetaData();
        Map<String, String> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int column = 1; column <= metaData.getColumnCount(); column++) {
            columns.put(metaData.getColumnName(column), row.getString(column));
        }
        return columns;
    }

    /** Runs {@code work} in a transaction and commits it, or rolls it back when {@code work} throws. */
    static void inTransaction(UserTransaction transaction, Runnable work) {
        try {
            transaction.begin();
            boolean done = false;
            try {
                work.run();
                done = true;
            } finally {
                if (!done) {
                    transaction.rollback();
                }
            }
            transaction.commit();
        } catch (NotSupportedException
                | SystemException
                | RollbackException
                | HeuristicMixedException
                | HeuristicRollbackException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
