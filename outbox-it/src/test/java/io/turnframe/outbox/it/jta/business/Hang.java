package io.turnframe.outbox.it.jta.business;

import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * One more resource of a transaction, which stops it at a point of its end for good, so that the server can be killed
 * there. Of the other resources those that were enlisted before it have passed that point.
 */
public final class Hang implements XAResource {
    /** Where a transaction stops. */
    public enum Point {
        /** Everything is written, nothing is prepared. */
        BEFORE_END,
        /** The resources are being prepared; that it shall commit is recorded nowhere. */
        PREPARE,
        /** It is recorded that it shall commit; the resources are being committed. */
        COMMIT
    }

    private static final Set<UUID> HANGING = ConcurrentHashMap.newKeySet();

    private final UUID order;
    private final Point point;

    private Hang(UUID order, Point point) {
        this.order = order;
        this.point = point;
    }

    /** Enlists it in the present transaction, unless that is to stop before its end. */
    static Hang in(UUID order, Point point) {
        Hang hang = new Hang(order, point);
        if (point != Point.BEFORE_END) {
            try {
                InitialContext.<TransactionManager>doLookup("java:jboss/TransactionManager")
                        .getTransaction()
                        .enlistResource(hang);
            } catch (NamingException | SystemException | RollbackException failed) {
                throw new IllegalStateException(failed);
            }
        }
        return hang;
    }

    /** The orders whose transaction has stopped. */
    static Set<UUID> hanging() {
        return Set.copyOf(HANGING);
    }

    void beforeEnd() {
        stopAt(Point.BEFORE_END);
    }

    @Override
    public int prepare(Xid xid) {
        stopAt(Point.PREPARE);
        return XA_OK;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) {
        stopAt(Point.COMMIT);
    }

    private void stopAt(Point reached) {
        if (reached == point) {
            HANGING.add(order);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                throw new IllegalStateException(ended);
            }
        }
    }

    @Override
    public void start(Xid xid, int flags) {}

    @Override
    public void end(Xid xid, int flags) {}

    @Override
    public void rollback(Xid xid) {}

    @Override
    public void forget(Xid xid) {}

    @Override
    public Xid[] recover(int flags) {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }
}
