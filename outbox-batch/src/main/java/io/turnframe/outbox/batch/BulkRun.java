package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.BulkAct;
import io.turnframe.outbox.store.BulkStep;
import io.turnframe.outbox.store.OutboxBulk;
import io.turnframe.outbox.store.OutboxPosition;
import java.util.Locale;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One bulk act: step by step to its end, unless it is stopped between two steps. */
final class BulkRun implements Stoppable {
    private static final Logger LOG = Logger.getLogger(BulkRun.class.getName());

    private enum State {
        RUNNING,
        COMPLETED,
        CANCELLED,
        FAILED
    }

    private final UUID id = UUID.randomUUID();
    private final OutboxBulk store;
    private final BulkAct bulk;
    private final long expected;
    private final Act act;

    private volatile State state = State.RUNNING;
    private volatile boolean stopped;
    private volatile long done;
    private volatile long skipped;

    BulkRun(OutboxBulk store, BulkAct bulk, long expected, Act act) {
        this.store = store;
        this.bulk = bulk;
        this.expected = expected;
        this.act = act;
    }

    UUID id() {
        return id;
    }

    BulkAct.Kind kind() {
        return bulk.kind();
    }

    Act act() {
        return act;
    }

    @Override
    public void stop() {
        stopped = true;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    /** On one thread; throws nothing but errors. What a step did is done, whatever becomes of the next. */
    void run() {
        try {
            OutboxPosition after = null;
            do {
                if (stopped) {
                    state = State.CANCELLED;
                    return;
                }
                BulkStep step = store.step(bulk, after, id.toString(), act);
                done = done + step.done();
                skipped = skipped + step.skipped();
                after = step.next();
            } while (after != null);
            state = State.COMPLETED;
        } catch (RuntimeException failure) {
            state = State.FAILED;
            LOG.log(Level.WARNING, "the bulk act " + id + " ended after " + done + " entries", failure);
        } finally {
            if (isRunning()) {
                state = State.FAILED;
            }
        }
    }

    BulkStatus status() {
        return new BulkStatus(
                id, bulk.kind().label(), act.by(), state.name().toLowerCase(Locale.ROOT), expected, done, skipped);
    }
}
