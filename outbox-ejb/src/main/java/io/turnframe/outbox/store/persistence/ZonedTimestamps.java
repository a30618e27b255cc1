package io.turnframe.outbox.store.persistence;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * Instants bound with their zone. EclipseLink would bind a timestamp without one, which the database reads in the zone of
 * the session: off by hours where that is not the zone of the JVM, and ambiguous for an hour of autumn where it is.
 */
final class ZonedTimestamps {
    private ZonedTimestamps() {}

    /** Binds {@code parameter} as it is if it is an instant with its zone; else answers false. */
    static boolean bind(PreparedStatement statement, int index, Object parameter) throws SQLException {
        if (parameter instanceof OffsetDateTime) {
            statement.setObject(index, parameter);
            return true;
        }
        return false;
    }

    /** Binds {@code parameter} in UTC without its zone, for a column that has none, if it is an instant. */
    static boolean bindUtc(PreparedStatement statement, int index, Object parameter) throws SQLException {
        if (parameter instanceof OffsetDateTime timestamp) {
            statement.setObject(
                    index, timestamp.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
            return true;
        }
        return false;
    }
}
