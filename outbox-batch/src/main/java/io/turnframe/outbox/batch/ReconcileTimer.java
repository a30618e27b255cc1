package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.OutboxReconciliation;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Starts the reconcile job when an entry is due to be asked about, one timer on each node with dispatch on, unless
 * {@code outbox.reconcile.enabled=false}. Sweeps of two nodes share the work: no row is asked about by both.
 */
@Singleton
@Startup
@DependsOn(SettingsCheck.NAME)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class ReconcileTimer {
    private static final Logger LOG = Logger.getLogger(ReconcileTimer.class.getName());

    /** A node that is restarted more often than the interval asks too. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    /** What the settlement of what was out may take. */
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    @Resource
    private TimerService timers;

    @Inject
    private DispatchSettings dispatch;

    @Inject
    private ReconcileSettings settings;

    @Inject
    private Reconcilers reconcilers;

    @Inject
    private ReconcileRuns runs;

    @EJB
    private DispatchJobs jobs;

    @EJB
    private OutboxReconciliation store;

    private volatile boolean failing;

    /** Reads the configuration in any case: a bad value fails the deployment. */
    @PostConstruct
    void start() {
        long interval = settings.interval().toMillis();
        if (dispatch.enabled() && settings.enabled()) {
            timers.createIntervalTimer(
                    Math.min(interval, FIRST.toMillis()), interval, new TimerConfig("outbox-reconcile", false));
        }
    }

    /** Looks once: one statement when there is nothing to do, and none if no destination has a reconciler. */
    @Timeout
    void fire() {
        try {
            if (runs.isEmpty() && store.isDue(reconcilers.available())) {
                jobs.startReconcile(new Properties());
            }
            failing = false;
        } catch (RuntimeException failure) {
            // Said once, not at every tick of an outage.
            if (!failing) {
                failing = true;
                LOG.log(
                        Level.WARNING,
                        "the reconcile job did not start; trying again every " + settings.interval(),
                        failure);
            }
        }
    }

    @PreDestroy
    void end() {
        runs.shutDown(LONGEST_END);
    }
}
