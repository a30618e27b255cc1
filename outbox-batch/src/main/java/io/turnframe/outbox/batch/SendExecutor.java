package io.turnframe.outbox.batch;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Future;

/** The threads that send. */
@ApplicationScoped
public class SendExecutor {
    static final String NAME = "java:app/outbox/SendExecutor";

    @Resource(lookup = NAME)
    private ManagedExecutorService executor;

    /** @throws java.util.concurrent.RejectedExecutionException if it cannot run */
    Future<?> submit(Runnable task) {
        return executor.submit(task);
    }
}
