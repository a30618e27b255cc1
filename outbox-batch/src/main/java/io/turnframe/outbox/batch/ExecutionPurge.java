package io.turnframe.outbox.batch;

import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps the job repository small where it stands in memory and only grows, which is JBeret's. It looks once in as many
 * executions as it lets stand, so that it costs little and there are never more than twice as many.
 */
@ApplicationScoped
public class ExecutionPurge {
    /** The newest ended executions of our jobs, which stay. */
    static final int KEPT = 100;

    private static final Logger LOG = Logger.getLogger(ExecutionPurge.class.getName());

    private static final String JBERET = "org.jberet.";

    private final AtomicInteger ended = new AtomicInteger();

    /** Said at the end of each execution, on its thread. Never throws. */
    void ending(JobContext job) {
        if (ended.incrementAndGet() % KEPT != 0 || !job.getClass().getName().startsWith(JBERET)) {
            return;
        }
        try {
            JberetExecutions.purge(job, DispatchJobs.NAMES, KEPT);
        } catch (RuntimeException | LinkageError otherVersion) {
            LOG.log(Level.WARNING, "executions in the job repository could not be removed; it grows", otherVersion);
        }
    }
}
