package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.QueueState;
import io.turnframe.outbox.store.Released;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.Timer;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The safety net behind the wake-up, one on each node: looks at the queue every tick, releases abandoned claims, and
 * sees to it that a retry is sent when it comes due. Off until {@code outbox.dispatch.enabled=true}. Ticks that overlap,
 * and those of other nodes, are harmless: claims and releases skip what another has locked.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class DispatchTimer {
    private static final Logger LOG = Logger.getLogger(DispatchTimer.class.getName());

    private static final String TICK = "outbox-tick";
    private static final String RETRY = "outbox-retry";

    /** What was due before the start does not wait for a long tick. */
    private static final Duration FIRST_TICK = Duration.ofSeconds(2);

    /** A retry timer sooner than this is not worth its cost. */
    private static final Duration SHORTEST_RETRY = Duration.ofMillis(10);

    private static final long NONE = Long.MAX_VALUE;

    @Resource
    private TimerService timers;

    @Inject
    private DispatchSettings settings;

    @Inject
    private Senders senders;

    @Inject
    private WakeUp wakeUp;

    @EJB
    private DispatchStore store;

    /** When the pending retry timer fires, by {@link System#nanoTime}. */
    private final AtomicLong retryAt = new AtomicLong(NONE);

    private volatile boolean failing;

    @PostConstruct
    void start() {
        if (settings.enabled()) {
            long tick = settings.tick().toMillis();
            timers.createIntervalTimer(Math.min(tick, FIRST_TICK.toMillis()), tick, new TimerConfig(TICK, false));
        }
    }

    @Timeout
    void fire(Timer timer) {
        if (RETRY.equals(timer.getInfo())) {
            retryAt.set(NONE);
            wakeUp.wake();
        } else {
            tick();
        }
    }

    /** Looks once: one statement when there is nothing to do. */
    public void tick() {
        try {
            QueueState state = store.queueState(senders.unroutable());
            if (state.oldestClaimAge() != null
                    && state.oldestClaimAge().compareTo(settings.config().claimTimeout()) > 0) {
                release();
            } else if (state.due()) {
                wakeUp.wake();
            }
            if (state.nextDueIn() != null && !state.nextDueIn().isNegative()) {
                retryIn(state.nextDueIn());
            }
            failing = false;
        } catch (RuntimeException failure) {
            // Said once, not at every tick of an outage.
            if (!failing) {
                failing = true;
                LOG.log(Level.WARNING, "the queue could not be read; trying again every " + settings.tick(), failure);
            }
        }
    }

    /**
     * Sees to it that a row which comes due then is sent, unless an earlier look finds it or the next tick does.
     *
     * @param delay from now on
     */
    public void retryIn(Duration delay) {
        if (!settings.enabled() || delay.compareTo(settings.tick()) >= 0) {
            return;
        }
        Duration wait = delay.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : delay;
        long at = System.nanoTime() + wait.toNanos();
        long pending = retryAt.get();
        if ((pending == NONE || at - pending < 0) && retryAt.compareAndSet(pending, at)) {
            // A millisecond more: the row must be due when the timer fires.
            timers.createSingleActionTimer(wait.toMillis() + 1, new TimerConfig(RETRY, false));
        }
    }

    private void release() {
        Released released = store.releaseAbandoned(settings.config().claimTimeout(), settings.deduplicating());
        if (!released.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "released abandoned claims: {0} back to pending, {1} with an unknown outcome",
                    new Object[] {released.pending().size(), released.unknown().size()});
        }
        wakeUp.wake();
    }
}
