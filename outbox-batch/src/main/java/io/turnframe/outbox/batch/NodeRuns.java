package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchReport;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The dispatch runs of this node: whether a wake-up finds one that listens or must start one. A run that wants to end
 * asks first, so that no wake-up falls between its last look and its end.
 *
 * <p>It locks an object of its own: the proxy of a scoped bean repeats {@code synchronized}, on another monitor.
 */
@ApplicationScoped
public class NodeRuns {
    /** A start that has not become a run by then was lost; the next wake-up starts anew. */
    private static final Duration START_LOST = Duration.ofSeconds(30);

    /** The longest that a shutdown waits for a run whose start is on its way. */
    private static final Duration LONGEST_START = Duration.ofSeconds(5);

    /** A start that never becomes a run tells nobody. */
    private static final long POLL_MS = 100;

    /** What the settlements at the end of a run may take. */
    private static final Duration LONGEST_SETTLEMENT = Duration.ofSeconds(5);

    private final Object lock = new Object();
    private final Set<DispatchRun> runs = new HashSet<>();
    private final Set<DispatchRun> listening = new HashSet<>();
    private final Map<Long, Partitions> executions = new HashMap<>();
    private boolean shuttingDown;
    private boolean starting;
    private long startingSince;

    /**
     * Tells the runs that there is work.
     *
     * @return whether the caller must start a run, and say {@link #startFailed} if it cannot
     */
    boolean wake() {
        synchronized (lock) {
            if (shuttingDown) {
                return false;
            }
            if (!listening.isEmpty()) {
                listening.forEach(DispatchRun::wake);
                return false;
            }
            if (starting && System.nanoTime() - startingSince < START_LOST.toNanos()) {
                return false;
            }
            starting = true;
            startingSince = System.nanoTime();
            return true;
        }
    }

    void startFailed() {
        synchronized (lock) {
            starting = false;
            lock.notifyAll();
        }
    }

    void enter(DispatchRun run) {
        synchronized (lock) {
            starting = false;
            runs.add(run);
            listening.add(run);
            if (shuttingDown) {
                run.stop(Duration.ZERO);
            }
        }
    }

    /** Lets {@code run} end, unless it was woken meanwhile: then it must look again. */
    boolean leave(DispatchRun run) {
        synchronized (lock) {
            if (run.takeWakeUp()) {
                return false;
            }
            forget(run);
            return true;
        }
    }

    /**
     * Takes {@code run} off those that listen: it claims no more, though it may still wait for answers.
     *
     * @return whether it was woken and has not looked: another must
     */
    boolean retire(DispatchRun run) {
        synchronized (lock) {
            listening.remove(run);
            return run.takeWakeUp();
        }
    }

    /** Removes a run that ends whether or not it was woken. */
    void forget(DispatchRun run) {
        synchronized (lock) {
            listening.remove(run);
            runs.remove(run);
            lock.notifyAll();
        }
    }

    /** Keeps the runs of an execution, so that its report can be asked for before it ends. */
    void begin(long executionId, Partitions partitions) {
        synchronized (lock) {
            executions.put(executionId, partitions);
        }
    }

    void end(long executionId) {
        synchronized (lock) {
            executions.remove(executionId);
        }
    }

    /** What an execution has done so far; empty unless it goes on this node. */
    Optional<DispatchReport> report(long executionId) {
        synchronized (lock) {
            return Optional.ofNullable(executions.get(executionId)).map(Partitions::report);
        }
    }

    /**
     * Starts no more runs, and waits until those that go have given back what is unsent and settled what is out. One whose
     * start is on its way is waited for, too: later it would meet beans that are gone.
     *
     * @param grace how long answers are waited for; what is out after that is settled as unknown
     * @return whether there was a run
     */
    boolean shutDown(Duration grace) {
        synchronized (lock) {
            shuttingDown = true;
            boolean ran = !runs.isEmpty() || isComing();
            runs.forEach(run -> run.stop(grace));
            long end = System.nanoTime() + grace.plus(LONGEST_SETTLEMENT).toNanos();
            try {
                for (long left; (!runs.isEmpty() || isComing()) && (left = end - System.nanoTime()) > 0; ) {
                    lock.wait(Math.max(1, Math.min(left / 1_000_000, POLL_MS)));
                }
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
            return ran;
        }
    }

    /** Whether a start was handed over to the job operator and its run has not come yet, though it still may. */
    private boolean isComing() {
        return starting && System.nanoTime() - startingSince < LONGEST_START.toNanos();
    }
}
