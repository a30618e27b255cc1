package io.turnframe.outbox.store.persistence;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.eclipse.persistence.internal.databaseaccess.DatabaseCall;
import org.eclipse.persistence.internal.expressions.ExpressionSQLPrinter;
import org.eclipse.persistence.internal.expressions.SQLSelectStatement;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.eclipse.persistence.platform.database.MariaDBPlatform;

/**
 * MariaDB with SKIP LOCKED. Its DATETIME has no zone, and the driver would write an instant in the zone of the session,
 * where an hour of autumn stands twice: here it is written and read as UTC.
 */
public class OutboxMariaDBPlatform extends MariaDBPlatform {
    private static final long serialVersionUID = 1L;

    /** The optimized reading of a column goes through a timestamp without a zone, too. */
    @Override
    public boolean shouldOptimizeDataConversion() {
        return false;
    }

    @Override
    public void printSQLSelectStatement(DatabaseCall call, ExpressionSQLPrinter printer, SQLSelectStatement statement) {
        SkipLockedClause.applyTo(statement);
        super.printSQLSelectStatement(call, printer, statement);
    }

    @Override
    public void setParameterValueInDatabaseCall(
            Object parameter, PreparedStatement statement, int index, AbstractSession session) throws SQLException {
        if (parameter instanceof OffsetDateTime timestamp) {
            statement.setObject(
                    index, timestamp.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
        } else {
            super.setParameterValueInDatabaseCall(parameter, statement, index, session);
        }
    }

    @Override
    public Object getObjectFromResultSet(ResultSet row, int column, int type, AbstractSession session)
            throws SQLException {
        if (type == Types.TIMESTAMP) {
            LocalDateTime utc = row.getObject(column, LocalDateTime.class);
            return utc == null ? null : utc.atOffset(ZoneOffset.UTC);
        }
        return super.getObjectFromResultSet(row, column, type, session);
    }
}
