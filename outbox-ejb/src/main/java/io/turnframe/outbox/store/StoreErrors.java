package io.turnframe.outbox.store;

import jakarta.annotation.Resource;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.InvocationContext;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.SQLException;

/**
 * Turns what the database throws into {@link io.turnframe.outbox.OutboxException}, so that callers see no exception of the
 * provider. Ours do
 * not roll back by themselves, so the transaction is marked here: a statement that failed may have left half its work.
 */
class StoreErrors {
    @Resource
    private TransactionSynchronizationRegistry transactions;

    @AroundInvoke
    Object translate(InvocationContext call) throws Exception {
        try {
            return call.proceed();
        } catch (PersistenceException | SQLException failure) {
            if (transactions.getTransactionStatus() == Status.STATUS_ACTIVE) {
                transactions.setRollbackOnly();
            }
            throw StoreFailure.of(failure);
        }
    }
}
