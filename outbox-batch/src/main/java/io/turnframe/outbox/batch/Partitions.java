package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.DispatchReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The runs of one execution: the first on the batch thread, as the chunks of the job; each other on a thread of its own,
 * without chunks, since all that it writes it writes in transactions of the store's. With one partition there is only the
 * first.
 */
final class Partitions {
    /** An execution has so many at most. */
    static final int MAX = 8;

    private static final Logger LOG = Logger.getLogger(Partitions.class.getName());

    private final RunParts parts;
    private final DispatchConfig config;
    private final Duration linger;
    private final DispatchRun first;
    private final List<DispatchRun> runs = new CopyOnWriteArrayList<>();

    private final Object lock = new Object();
    private int going;
    private boolean over;
    private Throwable failure;

    /** @param count the partitions, 1 to {@value #MAX}; fewer if no more threads can be had */
    Partitions(RunParts parts, DispatchConfig config, Duration linger, int count) {
        this.parts = parts;
        this.config = config;
        this.linger = linger;
        this.first = new DispatchRun(parts, config, linger);
        runs.add(first);
        try {
            for (int other = 1; other < count; other++) {
                parts.executor().submit(this::drain);
            }
        } catch (RuntimeException | Error noThread) {
            // Whatever it is, the first run listens already and must go on.
            LOG.log(Level.FINE, "no thread for a partition; the others do its work", noThread);
        }
    }

    /** The run of the batch thread. */
    DispatchRun first() {
        return first;
    }

    /** On a thread of the executor. One that gets it when the others have ended does nothing. */
    void drain() {
        synchronized (lock) {
            if (over) {
                return;
            }
            going++;
        }
        try {
            DispatchRun run = new DispatchRun(parts, config, linger);
            runs.add(run);
            try {
                run.drain();
            } finally {
                run.close();
            }
        } catch (RuntimeException | Error met) {
            failed(met);
        } finally {
            synchronized (lock) {
                going--;
                lock.notifyAll();
            }
        }
    }

    private void failed(Throwable met) {
        synchronized (lock) {
            failure = met;
        }
        parts.siblings().stop();
    }

    /**
     * The first run's next item; when that run is over, items that end a chunk until the others are, then null.
     *
     * @throws RuntimeException what a run failed with
     */
    Object next() {
        if (!isOver()) {
            Object item = first.next();
            if (item != null) {
                return item;
            }
            end();
        }
        if (!awaitOthers(DispatchRun.LONGEST_CHUNK)) {
            return first.endChunk();
        }
        synchronized (lock) {
            if (failure != null) {
                throw new IllegalStateException("a partition failed", failure);
            }
        }
        return null;
    }

    private boolean isOver() {
        synchronized (lock) {
            return over;
        }
    }

    private void end() {
        synchronized (lock) {
            over = true;
        }
    }

    /** Whether the other runs have ended, waiting so long at most; also true when this thread is to stop waiting. */
    private boolean awaitOthers(long nanos) {
        synchronized (lock) {
            long end = System.nanoTime() + nanos;
            try {
                for (long left; going > 0 && (left = end - System.nanoTime()) > 0; ) {
                    lock.wait(left / 1_000_000 + 1);
                }
            } catch (InterruptedException shutdown) {
                Thread.currentThread().interrupt();
                return true;
            }
            return going == 0;
        }
    }

    /** The sum over the runs, as far as it is known. */
    DispatchReport report() {
        return runs.stream().map(DispatchRun::report).reduce(DispatchReport.EMPTY, DispatchReport::plus);
    }

    /** Ends all runs, however it came to that; answers the sum. */
    DispatchReport close() {
        end();
        try {
            first.close();
        } finally {
            // They have ended, unless the first failed or was interrupted.
            parts.siblings().stop();
            while (!awaitOthers(DispatchRun.LONGEST_CHUNK)) {
                continue;
            }
        }
        return report();
    }

    /** Whether one of them made way for a new run though its node may still have work. */
    boolean isTooOld() {
        return runs.stream().anyMatch(DispatchRun::isTooOld);
    }

    /** Whether one of them was woken and ended without looking: another must look. */
    boolean missedWakeUp() {
        return runs.stream().anyMatch(DispatchRun::missedWakeUp);
    }
}
