package io.turnframe.outbox.batch;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The runs of one job on this node: so that a timer starts no second one, and none outlives the beans it uses.
 *
 * <p>It locks an object of its own: the proxy of a scoped bean repeats {@code synchronized}, on another monitor.
 */
class StoppableRuns {
    private final Object lock = new Object();
    private final Set<Stoppable> runs = new HashSet<>();
    private boolean shuttingDown;

    void enter(Stoppable run) {
        synchronized (lock) {
            runs.add(run);
            if (shuttingDown) {
                run.stop();
            }
        }
    }

    void leave(Stoppable run) {
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
            runs.forEach(Stoppable::stop);
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
