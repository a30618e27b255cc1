package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Future;

/**
 * The threads that send. A definition of our own: the server's default executor sizes itself by the processors and queues
 * the rest, and a queued send is one whose deadline runs.
 */
@ApplicationScoped
@ManagedExecutorDefinition(name = SendExecutor.NAME, maxAsync = DispatchConfig.MAX_CONCURRENCY)
public class SendExecutor {
    static final String NAME = "java:app/outbox/SendExecutor";

    @Resource(lookup = NAME)
    private ManagedExecutorService executor;

    /** @throws java.util.concurrent.RejectedExecutionException if it cannot run */
    Future<?> submit(Runnable task) {
        return executor.submit(task);
    }
}
