package io.turnframe.outbox.batch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the runs of one execution know of each other. They end together: one that has nothing to do stays while another
 * works, so that there are as many as there should be when work comes. And a row that may have brought down a node is out
 * alone, over all of them.
 */
final class Siblings {
    private final Object lock = new Object();

    /** The rows each has out, or may be about to send. */
    private final Map<DispatchRun, Integer> out = new HashMap<>();

    private final Set<DispatchRun> idle = new HashSet<>();
    private DispatchRun alone;
    private volatile boolean stopped;

    void enter(DispatchRun run) {
        synchronized (lock) {
            out.put(run, 0);
        }
    }

    /** Says that {@code run} has work. */
    void busy(DispatchRun run) {
        synchronized (lock) {
            idle.remove(run);
        }
    }

    /** Says that {@code run} has nothing to do; answers whether none of them has. */
    boolean idle(DispatchRun run) {
        synchronized (lock) {
            idle.add(run);
            return idle.size() == out.size();
        }
    }

    /** Takes off one that claims no more: the others need not stay for it. */
    void leave(DispatchRun run) {
        synchronized (lock) {
            out.remove(run);
            idle.remove(run);
            if (alone == run) {
                alone = null;
            }
            out.keySet().forEach(DispatchRun::lookUp);
        }
    }

    /** A claim of {@code run} came back full: the others look, too. */
    void moreIsDue(DispatchRun run) {
        synchronized (lock) {
            out.keySet().stream().filter(other -> other != run).forEach(DispatchRun::wake);
        }
    }

    /**
     * Whether {@code run} may send now.
     *
     * @param sending rows it has out
     * @param waiting rows it would send
     * @param suspect whether one of them may have brought down a node: then none of the others may have any out
     */
    boolean maySend(DispatchRun run, int sending, int waiting, boolean suspect) {
        synchronized (lock) {
            if (suspect && alone == null) {
                alone = run;
            } else if (!suspect && alone == run) {
                alone = null;
            }
            boolean may = alone == null || alone == run && !othersSend(run);
            out.replace(run, sending + (may ? waiting : 0));
            return may;
        }
    }

    private boolean othersSend(DispatchRun run) {
        return out.entrySet().stream().anyMatch(other -> other.getKey() != run && other.getValue() > 0);
    }

    /** Asks all of them to end. */
    void stop() {
        stopped = true;
        synchronized (lock) {
            out.keySet().forEach(DispatchRun::lookUp);
        }
    }

    boolean isStopped() {
        return stopped;
    }
}
