package io.turnframe.outbox.batch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The threads of a run's sends. One that has sent takes the next that waits, so that quick sends do not each cost a change
 * of threads; while any waits, another thread is on its way, so that none waits for a slow one.
 */
final class SendThreads {
    private static final Logger LOG = Logger.getLogger(SendThreads.class.getName());

    private final SendExecutor executor;
    private final Consumer<Send> body;
    private final int mostComing;

    private final Object lock = new Object();
    private final Deque<Send> waiting = new ArrayDeque<>();
    private int coming;

    /**
     * @param body sends; never throws
     * @param mostComing threads on their way at once; beyond the processors more would not be there any sooner
     */
    SendThreads(SendExecutor executor, Consumer<Send> body, int mostComing) {
        this.executor = executor;
        this.body = body;
        this.mostComing = mostComing;
    }

    /**
     * Has it sent soon.
     *
     * @throws RuntimeException or an error, if there is no thread for it; one may have come to it all the same
     */
    void start(Send send) {
        boolean call;
        synchronized (lock) {
            waiting.add(send);
            call = mayCall();
        }
        if (call) {
            boolean called = false;
            try {
                call();
                called = true;
            } finally {
                if (!called) {
                    forget(send);
                }
            }
        }
    }

    /** It goes back unsent, and would be kept until a thread came by. */
    private void forget(Send send) {
        synchronized (lock) {
            waiting.remove(send);
        }
    }

    /** To be asked under the lock; one must then be called. */
    private boolean mayCall() {
        boolean may = coming < Math.min(mostComing, waiting.size());
        coming += may ? 1 : 0;
        return may;
    }

    private void call() {
        boolean called = false;
        try {
            executor.submit(this::sendThoseThatWait);
            called = true;
        } finally {
            if (!called) {
                arrived();
            }
        }
    }

    private void arrived() {
        synchronized (lock) {
            coming--;
        }
    }

    private void sendThoseThatWait() {
        arrived();
        for (Send send = next(); send != null; send = next()) {
            body.accept(send);
            if (Thread.currentThread().isInterrupted()) {
                // By the server, or by the sender itself: no business of the next.
                return;
            }
        }
    }

    private Send next() {
        Send next;
        boolean call;
        synchronized (lock) {
            next = waiting.poll();
            call = mayCall();
        }
        if (call) {
            try {
                call();
            } catch (RuntimeException | Error noThread) {
                LOG.log(Level.FINE, "no thread for the sends that wait; those that have one take them", noThread);
            }
        }
        return next;
    }
}
