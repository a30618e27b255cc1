package io.turnframe.outbox.store.persistence;

import org.eclipse.persistence.internal.databaseaccess.DatabaseCall;
import org.eclipse.persistence.internal.expressions.ExpressionSQLPrinter;
import org.eclipse.persistence.internal.expressions.SQLSelectStatement;
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
}
