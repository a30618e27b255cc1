package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Future;

/** The threads that send, ask reconcilers, run further partitions, and tell observers. */
@ApplicationScoped
public class SendExecutor {
    static final String NAME = "java:app/outbox/SendExecutor";

    /**
     * Enough for all sends beside a few executions' partitions. Questions share them: where both are configured to their
     * utmost some wait. One that has no thread by its deadline goes back unsent, or is put off.
     */
    static final int THREADS = DispatchConfig.MAX_CONCURRENCY + 4 * Partitions.MAX;

    @Resource(lookup = NAME)
    private ManagedExecutorService executor;

    /** @throws java.util.concurrent.RejectedExecutionException if it cannot run */
    Future<?> submit(Runnable task) {
        return executor.submit(task);
    }
}
