package io.turnframe.outbox.batch;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** The purges of this node: so that the timer starts no second one, and none outlives the beans it uses. */
@ApplicationScoped
public class PurgeRuns {
    private final Object lock = new Object();
    private final Set<PurgeRun> runs = new HashSet<>();
    private boolean shuttingDown;

    void enter(PurgeRun run) {
        synchronized (lock) {
            runs.add(run);
            if (shuttingDown) {
                run.stop();
            }
        }
    }

    void leave(PurgeRun run) {
        synchronized (lock) {
            runs.remove(run);
            lock.notifyAll();
        }
    }

    boolean isEmpty() {
        synchronized (lock) {
            return runs.isEmpty();
        }
    }

    /** Stops them and waits until they have ended, at most so long. */
    void shutDown(Duration grace) {
        synchronized (lock) {
            shuttingDown = true;
            runs.forEach(PurgeRun::stop);
            long end = System.nanoTime() + grace.toNanos();
            try {
                for (long left; !runs.isEmpty() && (left = end - System.nanoTime()) > 0; ) {
                    lock.wait(Math.max(1, left / 1_000_000));
                }
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
