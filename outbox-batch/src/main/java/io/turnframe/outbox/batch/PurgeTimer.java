package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxPurge;
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
 * Starts the purge job once in a while, one timer on each node, if the configuration says how long entries are kept, and
 * only when there is something to remove: a job repository keeps every execution. Purges of two nodes share the work.
 */
@Singleton
@Startup
@DependsOn(SettingsCheck.NAME)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class PurgeTimer {
    private static final Logger LOG = Logger.getLogger(PurgeTimer.class.getName());

    /** A node that is restarted more often than the interval purges too. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    /** What one transaction of a purge may take. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(5);

    @Resource
    private TimerService timers;

    @Inject
    private PurgeSettings settings;

    @Inject
    private PurgeRuns runs;

    @EJB
    private DispatchJobs jobs;

    @EJB
    private OutboxPurge store;

    @PostConstruct
    void start() {
        if (settings.config().removesAnything()) {
            timers.createIntervalTimer(
                    FIRST.toMillis(), settings.interval().toMillis(), new TimerConfig("outbox-purge", false));
        }
    }

    /** Looks once: one statement for each status when there is nothing to do. */
    @Timeout
    void fire() {
        try {
            PurgeConfig config = settings.config();
            if (runs.isEmpty()
                    && (isDue(OutboxStatus.COMPLETED, config.completedAfter())
                            || isDue(OutboxStatus.FAILED, config.failedAfter()))) {
                jobs.startPurge(new Properties());
            }
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "the purge job did not start; trying again in " + settings.interval(), failure);
        }
    }

    @PreDestroy
    void end() {
        runs.shutDown(LONGEST_TRANSACTION);
    }

    private boolean isDue(OutboxStatus status, Duration after) {
        return after != null && store.isDue(status, after);
    }
}
