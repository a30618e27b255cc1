package io.turnframe.outbox.bench.server;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Does a piece of work on several threads at once. */
@ApplicationScoped
@ManagedExecutorDefinition(name = Workers.NAME, maxAsync = Workers.MOST)
public class Workers {
    static final String NAME = "java:module/bench/Workers";

    static final int MOST = 64;

    @Resource(lookup = NAME)
    private ManagedExecutorService executor;

    /** What one of the threads does. */
    @FunctionalInterface
    interface Work {
        void on(int thread) throws Exception;
    }

    /** Waits for all of them; answers the nanoseconds that it took. */
    long run(int threads, Work work) throws InterruptedException, ExecutionException {
        List<Future<?>> running = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            int thread = i;
            running.add(executor.submit(() -> {
                work.on(thread);
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        return System.nanoTime() - begin;
    }
}
