package io.turnframe.outbox.batch;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The dispatch runs of this node: whether a wake-up finds one that listens or must start one. A run that wants to end
 * asks first, so that no wake-up falls between its last look and its end.
 */
@ApplicationScoped
public class NodeRuns {
    /** A start that has not become a run by then was lost; the next wake-up starts anew. */
    private static final Duration START_LOST = Duration.ofSeconds(30);

    private final Set<DispatchRun> runs = new HashSet<>();
    private boolean starting;
    private long startingSince;

    /**
     * Tells the runs that there is work.
     *
     * @return whether the caller must start a run, and say {@link #startFailed} if it cannot
     */
    synchronized boolean wake() {
        if (!runs.isEmpty()) {
            runs.forEach(DispatchRun::wake);
            return false;
        }
        if (starting && System.nanoTime() - startingSince < START_LOST.toNanos()) {
            return false;
        }
        starting = true;
        startingSince = System.nanoTime();
        return true;
    }

    synchronized void startFailed() {
        starting = false;
    }

    /** Whether a run of this node is going or about to. */
    synchronized boolean isEmpty() {
        return runs.isEmpty();
    }

    synchronized void enter(DispatchRun run) {
        starting = false;
        runs.add(run);
    }

    /** Lets {@code run} end, unless it was woken meanwhile: then it must look again. */
    synchronized boolean leave(DispatchRun run) {
        if (run.takeWakeUp()) {
            return false;
        }
        runs.remove(run);
        return true;
    }

    /** Removes a run that ends whether or not it was woken. */
    synchronized void forget(DispatchRun run) {
        runs.remove(run);
    }
}
