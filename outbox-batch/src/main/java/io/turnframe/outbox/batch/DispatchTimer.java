package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.QueueState;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
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
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The safety net behind the wake-up, one on each node: looks at the queue every tick, releases abandoned claims, and
 * sees to it that a retry is sent when it comes due. Off until {@code outbox.dispatch.enabled=true}. Ticks that overlap,
 * and those of other nodes, are harmless: claims and releases skip what another has locked.
 */
@Singleton
@Startup
@DependsOn(SettingsCheck.NAME)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class DispatchTimer {
    private static final Logger LOG = Logger.getLogger(DispatchTimer.class.getName());

    private static final String TICK = "outbox-tick";
    private static final String RETRY = "outbox-retry";

    /** What was due before the start does not wait for a long tick. */
    private static final Duration FIRST_TICK = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Resource
    private TimerService timers;

    @Inject
    private DispatchSettings settings;

    @Inject
    private Senders senders;

    @Inject
    private SendSlots slots;

    @Inject
    private Controls controls;

    @Inject
    private Breakers breakers;

    @Inject
    private WakeUp wakeUp;

    @Inject
    private ClaimRelease release;

    @EJB
    private DispatchStore store;

    private final RetryAlarm retry = new RetryAlarm(System::nanoTime, this::createRetryTimer);

    private volatile boolean failing;

    private Openings openings;
    private AbandonedClaims claims;

    @PostConstruct
    void start() {
        openings = new Openings(senders, slots, breakers, settings.config().concurrency());
        claims = new AbandonedClaims(
                AbandonedClaims.by(store, settings.config().claimTimeout(), settings::deduplicating), release::tell);
        if (settings.enabled()) {
            long tick = settings.tick().toMillis();
            timers.createIntervalTimer(Math.min(tick, FIRST_TICK.toMillis()), tick, new TimerConfig(TICK, false));
        }
    }

    @Timeout
    void fire(Timer timer) {
        if (RETRY.equals(timer.getInfo())) {
            retry.fired();
            wakeUp.wake();
            planFromQueue();
        } else {
            tick();
        }
    }

    /** Looks once: one statement when there is nothing to do. */
    public void tick() {
        try {
            QueueState state = queueState();
            boolean abandoned = state.oldestClaimAge() != null
                    && state.oldestClaimAge().compareTo(settings.config().claimTimeout()) > 0;
            if (abandoned && claims.release() || state.due()) {
                wakeUp.wake();
            }
            plan(state);
            failing = false;
        } catch (RuntimeException failure) {
            // Said once, not at every tick of an outage.
            if (!failing) {
                failing = true;
                LOG.log(Level.WARNING, "the queue could not be read; trying again every " + settings.tick(), failure);
            }
        }
    }

    /** Sees to it that what is due, or comes due next, is sent; for a run that ends. Never throws. */
    public void planNext() {
        if (settings.enabled() && planFromQueue()) {
            // Come due while nobody looked; with a pause, since what cannot be claimed may be locked elsewhere.
            retryIn(PAUSE);
        }
    }

    /** Plans for the next delayed row; answers whether another is due already. */
    private boolean planFromQueue() {
        try {
            QueueState state = queueState();
            plan(state);
            return state.due();
        } catch (RuntimeException failure) {
            LOG.log(Level.FINE, "the queue could not be read; the next tick looks again", failure);
            return false;
        }
    }

    private void plan(QueueState state) {
        if (state.nextDueIn() != null && !state.nextDueIn().isNegative()) {
            retryIn(state.nextDueIn());
        }
    }

    /** Of the destinations whose rows a run could claim now; what is claimed already in any case. */
    private QueueState queueState() {
        Controls.Said said = controls.forTick();
        Optional<DestinationScope> open = said.everythingHeld() ? Optional.empty() : openings.all(said);
        QueueState state = store.queueState(open.orElse(DestinationScope.ALL));
        return open.isPresent() ? state : new QueueState(false, null, state.oldestClaimAge());
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
        retry.in(delay);
    }

    private void createRetryTimer(Duration wait) {
        // A millisecond more: the row must be due when the timer fires.
        timers.createSingleActionTimer(wait.toMillis() + 1, new TimerConfig(RETRY, false));
    }
}
