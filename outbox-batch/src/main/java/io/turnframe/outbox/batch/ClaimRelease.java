package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.OutboxOperations;
import io.turnframe.outbox.store.Released;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Releases the claims that are older than {@code outbox.dispatch.claim-timeout} for an operator, never younger ones: their
 * send may still be going on. Log and observers hear of it as of a release by the timer.
 */
@ApplicationScoped
public class ClaimRelease {
    private static final Logger LOG = Logger.getLogger(ClaimRelease.class.getName());

    @Inject
    private DispatchSettings settings;

    @Inject
    private Observers observers;

    @Inject
    private WakeUp wakeUp;

    @EJB
    private DispatchStore store;

    @EJB
    private OutboxOperations operations;

    /** All there are, many in a transaction; every released entry is put on record. */
    public Released release(Act act) {
        List<Released> released = new ArrayList<>();
        try {
            new AbandonedClaims(by(act), this::tell).all(released);
        } finally {
            if (AbandonedClaims.tell(released, this::tell)) {
                wakeUp.wake();
            }
        }
        return released.stream().reduce(Released.NONE, Released::plus);
    }

    private AbandonedClaims.Releases by(Act act) {
        Duration claimTimeout = settings.config().claimTimeout();
        return new AbandonedClaims.Releases() {
            @Override
            public Released together() {
                return operations.release(claimTimeout, settings.deduplicating(), act);
            }

            @Override
            public Released alone(UUID outboxId) {
                return operations.release(claimTimeout, settings.deduplicating(), outboxId, act);
            }

            @Override
            public List<UUID> abandoned(int limit) {
                return store.abandoned(claimTimeout, limit);
            }
        };
    }

    /** Lets the observers hear that the outcome of this entry is unknown now. */
    void tell(UUID unknown) {
        if (observers.isEmpty()) {
            return;
        }
        try {
            observers.outcomeUnknown(store.get(unknown).entry().destination());
        } catch (RuntimeException notRead) {
            LOG.log(Level.FINE, "observers do not hear of entry " + unknown, notRead);
        }
    }
}
