package io.turnframe.outbox.store.persistence;

import org.eclipse.persistence.internal.expressions.ExpressionSQLPrinter;
import org.eclipse.persistence.internal.expressions.ForUpdateClause;
import org.eclipse.persistence.internal.expressions.SQLSelectStatement;
import org.eclipse.persistence.queries.ObjectBuildingQuery;
import org.eclipse.persistence.queries.ObjectLevelReadQuery;

/**
 * {@code FOR UPDATE SKIP LOCKED}, which EclipseLink does not print: its lock timeouts know waiting and NOWAIT alone. A
 * query asks for it with the lock mode PESSIMISTIC_WRITE and the hint {@code jakarta.persistence.lock.timeout} =
 * {@value #LOCK_TIMEOUT}, the value Hibernate gave that meaning.
 */
public final class SkipLockedClause extends ForUpdateClause {
    /** The value of {@code jakarta.persistence.lock.timeout} that means: skip what is locked. */
    public static final int LOCK_TIMEOUT = -2;

    private static final long serialVersionUID = 1L;

    private SkipLockedClause() {
        super(ObjectBuildingQuery.LOCK);
    }

    /** Gives {@code statement} this clause if its query asked for it. */
    static void applyTo(SQLSelectStatement statement) {
        if (statement.getQuery() instanceof ObjectLevelReadQuery query
                && query.isLockQuery()
                && Integer.valueOf(LOCK_TIMEOUT).equals(query.getWaitTimeout())) {
            statement.setLockingClause(new SkipLockedClause());
        }
    }

    @Override
    public void printSQL(ExpressionSQLPrinter printer, SQLSelectStatement statement) {
        printer.printString(" FOR UPDATE SKIP LOCKED");
    }
}
