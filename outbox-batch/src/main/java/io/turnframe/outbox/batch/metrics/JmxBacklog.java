package io.turnframe.outbox.batch.metrics;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.OutboxStats;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.JMException;
import javax.management.ObjectName;

/** Puts the backlog among the server's JMX beans while the deployment runs. */
@Singleton
@Startup
public class JmxBacklog {
    /** Under which name. */
    static final String NAME = "io.turnframe.outbox:type=Outbox";

    private static final Logger LOG = Logger.getLogger(JmxBacklog.class.getName());

    @EJB
    private OutboxQueries queries;

    private boolean registered;

    @PostConstruct
    void register() {
        try {
            OutboxQueries asked = queries;
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Backlog(asked::stats), new ObjectName(NAME));
            registered = true;
        } catch (JMException taken) {
            // Another deployment of this server has it: the figures are those of its database.
            LOG.log(Level.WARNING, "the JMX bean " + NAME + " was not registered", taken);
        }
    }

    @PreDestroy
    void unregister() {
        if (!registered) {
            return;
        }
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
        } catch (JMException gone) {
            LOG.log(Level.FINE, "nothing to unregister", gone);
        }
    }

    /** What is read. */
    static final class Backlog implements OutboxMXBean {
        private final Supplier<OutboxStats> stats;

        Backlog(Supplier<OutboxStats> stats) {
            this.stats = stats;
        }

        @Override
        public long getDueEntries() {
            return stats.get().dueNow();
        }

        @Override
        public long getOldestDueAgeSeconds() {
            Long age = stats.get().oldestDueAgeSeconds();
            return age == null ? 0 : age;
        }

        @Override
        public long getPendingEntries() {
            return count(OutboxStatus.PENDING);
        }

        @Override
        public long getDispatchingEntries() {
            return count(OutboxStatus.DISPATCHING);
        }

        @Override
        public long getOutcomeUnknownEntries() {
            return count(OutboxStatus.OUTCOME_UNKNOWN);
        }

        @Override
        public long getFailedEntries() {
            return count(OutboxStatus.FAILED);
        }

        @Override
        public long getCompletedEntries() {
            return count(OutboxStatus.COMPLETED);
        }

        private long count(OutboxStatus status) {
            return stats.get().counts().stream()
                    .filter(count -> count.status() == status)
                    .mapToLong(OutboxStats.Count::count)
                    .sum();
        }
    }
}
