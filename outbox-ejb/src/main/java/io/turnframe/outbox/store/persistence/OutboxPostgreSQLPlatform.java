package io.turnframe.outbox.store.persistence;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.eclipse.persistence.internal.databaseaccess.DatabaseCall;
import org.eclipse.persistence.internal.expressions.ExpressionSQLPrinter;
import org.eclipse.persistence.internal.expressions.SQLSelectStatement;
import org.eclipse.persistence.internal.helper.DatabaseField;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.eclipse.persistence.platform.database.PostgreSQL10Platform;

/** PostgreSQL with SKIP LOCKED. */
public class OutboxPostgreSQLPlatform extends PostgreSQL10Platform {
    private static final long serialVersionUID = 1L;

    /** Appended below, after the LIMIT. */
    @Override
    public boolean shouldPrintForUpdateClause() {
        return false;
    }

    @Override
    public void printSQLSelectStatement(DatabaseCall call, ExpressionSQLPrinter printer, SQLSelectStatement statement) {
        SkipLockedClause.applyTo(statement);
        super.printSQLSelectStatement(call, printer, statement);
        statement.appendForUpdateClause(printer);
    }

    @Override
    public void setParameterValueInDatabaseCall(
            Object parameter, PreparedStatement statement, int index, AbstractSession session) throws SQLException {
        if (parameter instanceof UUID[] ids) {
            statement.setArray(index, statement.getConnection().createArrayOf("uuid", ids));
        } else if (!ZonedTimestamps.bind(statement, index, parameter)) {
            super.setParameterValueInDatabaseCall(parameter, statement, index, session);
        }
    }

    /** The optimized reading of a column goes through a timestamp without a zone, too. */
    @Override
    public boolean shouldOptimizeDataConversion() {
        return false;
    }

    @Override
    public Object getObjectFromResultSet(ResultSet row, int column, int type, AbstractSession session)
            throws SQLException {
        return type == Types.TIMESTAMP
                ? row.getObject(column, OffsetDateTime.class)
                : super.getObjectFromResultSet(row, column, type, session);
    }

    /**
     * Where the stock answer is a guessed VARCHAR for a field that is no string, a null goes out untyped: PostgreSQL
     * refuses to put a varchar into a uuid or a timestamptz (EclipseLink #2717).
     */
    @Override
    public int getJDBCTypeForSetNull(DatabaseField field) {
        if (field == null) {
            return Types.NULL;
        }
        int type = super.getJDBCTypeForSetNull(field);
        boolean guessed = field.getSqlType() == DatabaseField.NULL_SQL_TYPE && type == Types.VARCHAR;
        return guessed && field.getType() != String.class ? Types.NULL : type;
    }
}
