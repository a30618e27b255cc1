package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Future;

/** The threads that send, run further partitions, and tell observers. */
@ApplicationScoped
public class SendExecutor {
    static final String NAME = "java:app/outbox/SendExecutor";

    /** A queued send is one whose deadline runs: there is a thread for each, beside those of a few executions' partitions. */
    static final int THREADS = DispatchConfig.MAX_CONCURRENCY + 4 * Partitions.MAX;

    @Resource(lookup = NAME)
    private ManagedExecutorService executor;

    /** @throws java.util.concurrent.RejectedExecutionException if it cannot run */
    Future<?> submit(Runnable task) {
        return executor.submit(task);
    }
}
