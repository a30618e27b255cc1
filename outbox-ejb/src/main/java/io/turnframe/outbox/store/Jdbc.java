package io.turnframe.outbox.store;

import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The few statements that are not JPQL: a connection of the caller's transaction, and one kind of error. */
final class Jdbc {
    private Jdbc() {}

    /** What to do with a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Does {@code work}; an {@link SQLException} becomes a {@link PersistenceException}, as a JPQL statement throws. */
    static <T> T call(DataSource dataSource, Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return work.on(connection);
        } catch (SQLException failure) {
            throw new PersistenceException(failure);
        }
    }

    /** A whole number, or null. */
    static Integer integer(ResultSet row, int column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
