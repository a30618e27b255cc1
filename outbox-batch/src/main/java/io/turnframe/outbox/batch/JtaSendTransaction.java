package io.turnframe.outbox.batch;

import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Local;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The server's transactions. Bean-managed, since a container tells of a commit that failed no more than that it did; a
 * singleton, since pools of stateless beans are small.
 */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local(SendTransaction.class)
public class JtaSendTransaction implements SendTransaction {
    private static final Logger LOG = Logger.getLogger(JtaSendTransaction.class.getName());

    @Resource
    private UserTransaction transaction;

    /** Public for the container. */
    public JtaSendTransaction() {}

    JtaSendTransaction(UserTransaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public Ending run(Duration timeout, BooleanSupplier work) {
        try {
            return begin(timeout) ? end(work) : Ending.ROLLED_BACK;
        } finally {
            resetTimeout();
        }
    }

    private boolean begin(Duration timeout) {
        try {
            transaction.setTransactionTimeout(seconds(timeout));
            transaction.begin();
            return true;
        } catch (NotSupportedException | SystemException | RuntimeException none) {
            LOG.log(Level.WARNING, "no transaction could be begun", none);
            return false;
        }
    }

    private Ending end(BooleanSupplier work) {
        boolean commits = false;
        try {
            commits = work.getAsBoolean() && transaction.getStatus() == Status.STATUS_ACTIVE;
        } catch (SystemException unasked) {
            LOG.log(Level.FINE, "the state of a transaction is not known; it rolls back", unasked);
        } finally {
            if (!commits) {
                rollBack();
            }
        }
        return commits ? commit() : Ending.ROLLED_BACK;
    }

    /** An error out of a commit says no more of its outcome than an exception. */
    private Ending commit() {
        try {
            transaction.commit();
            return Ending.COMMITTED;
        } catch (RollbackException refused) {
            LOG.log(Level.FINE, "a commit was refused", refused);
            return Ending.ROLLED_BACK;
        } catch (Throwable doubt) {
            LOG.log(Level.SEVERE, "the outcome of a transaction is not known", doubt);
            return Ending.IN_DOUBT;
        }
    }

    /** What was never told to commit does not: whatever this meets, recovery undoes what is prepared. */
    private void rollBack() {
        try {
            transaction.rollback();
        } catch (SystemException | RuntimeException gone) {
            LOG.log(Level.FINE, "a transaction could not be rolled back; it has ended, or its timeout ends it", gone);
        }
    }

    /** It holds for the thread, which others use. Whatever this meets, the transaction has ended as it has. */
    private void resetTimeout() {
        try {
            transaction.setTransactionTimeout(0);
        } catch (SystemException | RuntimeException | Error kept) {
            LOG.log(Level.FINE, "the timeout of the thread's transactions stays", kept);
        }
    }

    private static int seconds(Duration timeout) {
        return (int) Math.min(Integer.MAX_VALUE, timeout.plusNanos(999_999_999).toSeconds());
    }
}
