package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.AuditedAct;
import io.turnframe.outbox.store.BulkAct;
import io.turnframe.outbox.store.BulkPlan;
import io.turnframe.outbox.store.OutboxBulk;
import io.turnframe.outbox.store.OutboxOperations;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The bulk acts of this node, one at a time: what they would do, how far they are, their end. Nobody starts one without
 * having been told to how many entries it will be done.
 */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class BulkDesk {
    /** {@link OutboxException#code()}: it would not be done to as many entries as was said. */
    public static final String CHANGED = "turnframe.admin.bulk_changed";

    /** {@link OutboxException#code()}: another goes on, on this node. */
    public static final String RUNNING = "turnframe.admin.bulk_running";

    /** {@link OutboxException#code()}: this node knows of no such bulk act. */
    public static final String UNKNOWN = "turnframe.admin.unknown_bulk";

    private static final Logger LOG = Logger.getLogger(BulkDesk.class.getName());

    /** So many are remembered. */
    private static final int KEPT = 20;

    private static final Duration GRACE = Duration.ofSeconds(10);

    @EJB
    private OutboxBulk store;

    @EJB
    private OutboxOperations operations;

    @EJB
    private DispatchJobs jobs;

    @Inject
    private SendExecutor executor;

    private final StoppableRuns runs = new StoppableRuns();
    private final Deque<BulkRun> known = new ArrayDeque<>();

    /** What it would do now. */
    public BulkPlan plan(BulkAct bulk) {
        return store.plan(bulk);
    }

    /**
     * Starts it; it goes on when this returns.
     *
     * @param expected to how many entries it is to be done, as its plan said
     * @throws OutboxException {@link #CHANGED} or {@link #RUNNING}; then nothing was done
     */
    public BulkStatus start(BulkAct bulk, long expected, Act act) {
        long count = store.plan(bulk).count();
        if (count != expected) {
            throw new OutboxException(
                    CHANGED,
                    "it would be done to " + count + " entries now, not to " + expected + "; look at them again",
                    null);
        }
        BulkRun run = new BulkRun(store, bulk, expected, act);
        synchronized (known) {
            if (known.stream().anyMatch(BulkRun::isRunning)) {
                throw new OutboxException(
                        RUNNING, "a bulk act is running on this node; wait for its end, or cancel it", null);
            }
            known.addFirst(run);
            if (known.size() > KEPT) {
                known.removeLast();
            }
        }
        try {
            record("started", run, act);
            runs.enter(run);
            executor.submit(() -> go(run));
        } catch (RuntimeException | Error notStarted) {
            // Whatever it is: one that counts as running for ever lets no other start.
            forget(run);
            throw notStarted;
        }
        return run.status();
    }

    private void forget(BulkRun run) {
        runs.leave(run);
        synchronized (known) {
            known.remove(run);
        }
    }

    private void go(BulkRun run) {
        try {
            run.run();
            record(run.status().status(), run, run.act());
            if (run.kind() == BulkAct.Kind.RECONCILE && run.status().done() > 0) {
                jobs.startReconcile(new Properties());
            }
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "the end of the bulk act " + run.id() + " was not put on record", failure);
        } finally {
            runs.leave(run);
        }
    }

    private void record(String what, BulkRun run, Act act) {
        BulkStatus status = run.status();
        String detail = what + " bulk=" + status.bulkId() + " act=" + status.act() + " expected=" + status.expected()
                + " done=" + status.done() + " skipped=" + status.skipped();
        operations.record(AuditedAct.BULK, detail, act);
    }

    /** The latest of this node, newest first. */
    public List<BulkStatus> latest() {
        synchronized (known) {
            return known.stream().map(BulkRun::status).toList();
        }
    }

    /** @throws OutboxException {@link #UNKNOWN} */
    public BulkStatus status(UUID bulkId) {
        return find(bulkId).status();
    }

    /**
     * Has it end before its next step; what is done stays done.
     *
     * @throws OutboxException {@link #UNKNOWN}
     */
    public BulkStatus cancel(UUID bulkId, Act act) {
        BulkRun run = find(bulkId);
        if (run.isRunning()) {
            record("cancel", run, act);
            run.stop();
        }
        return run.status();
    }

    private BulkRun find(UUID bulkId) {
        synchronized (known) {
            return known.stream()
                    .filter(run -> run.id().equals(bulkId))
                    .findFirst()
                    .orElseThrow(() -> new OutboxException(
                            UNKNOWN,
                            "this node knows of no bulk act " + bulkId + "; ask the one that started it",
                            null));
        }
    }

    @PreDestroy
    void end() {
        runs.shutDown(GRACE);
    }
}
