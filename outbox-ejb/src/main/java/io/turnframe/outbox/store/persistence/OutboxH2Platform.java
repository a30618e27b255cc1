package io.turnframe.outbox.store.persistence;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import org.eclipse.persistence.internal.databaseaccess.DatabaseCall;
import org.eclipse.persistence.internal.expressions.ExpressionSQLPrinter;
import org.eclipse.persistence.internal.expressions.SQLSelectStatement;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.eclipse.persistence.platform.database.H2Platform;

/** H2 with SKIP LOCKED. */
public class OutboxH2Platform extends H2Platform {
    private static final long serialVersionUID = 1L;

    /** The stock platform prints the lock before the LIMIT, which H2 refuses. It is appended below instead. */
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

    /** As it is: EclipseLink would bind a timestamp without a zone, to be read in the zone of the session. */
    @Override
    public void setParameterValueInDatabaseCall(
            Object parameter, PreparedStatement statement, int index, AbstractSession session) throws SQLException {
        if (parameter instanceof OffsetDateTime) {
            statement.setObject(index, parameter);
        } else {
            super.setParameterValueInDatabaseCall(parameter, statement, index, session);
        }
    }

    /** Functions take parameters like anything else. Written into the statement, an instant would lose its zone. */
    @Override
    public boolean isDynamicSQLRequiredForFunctions() {
        return false;
    }

    /** The optimized reading of a column goes through a timestamp without a zone, too. */
    @Override
    public boolean shouldOptimizeDataConversion() {
        return false;
    }

    @Override
    public Object getObjectFromResultSet(ResultSet row, int column, int type, AbstractSession session)
            throws SQLException {
        return type == Types.TIMESTAMP_WITH_TIMEZONE
                ? row.getObject(column, OffsetDateTime.class)
                : super.getObjectFromResultSet(row, column, type, session);
    }
}
