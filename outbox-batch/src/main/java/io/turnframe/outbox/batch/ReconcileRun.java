package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.store.Question;
import io.turnframe.outbox.store.QuestionRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One sweep: asks about every unknown row that is due, destination by destination in turn, as many at once as the
 * configuration allows, until none is due. One thread runs it.
 */
final class ReconcileRun implements Stoppable {
    private static final Logger LOG = Logger.getLogger(ReconcileRun.class.getName());

    /** A sweep takes no more rows after this: far below the transaction timeouts of servers. The next one goes on. */
    private static final long LONGEST_RUN = Duration.ofMinutes(2).toNanos();

    private final ReconcileParts parts;
    private final ReconcileConfig config;
    private final QuestionRequest request;
    private final Inquiries inquiries;

    /** The destinations that may still have rows that are due. */
    private final Deque<String> open = new ArrayDeque<>();

    private ReconcileReport report = ReconcileReport.EMPTY;
    private RuntimeException failure;
    private volatile boolean stopping;

    ReconcileRun(ReconcileParts parts, ReconcileConfig config) {
        this.parts = parts;
        this.config = config;
        this.request = new QuestionRequest(parts.workerId(), config.lease(), config.settlingTime());
        this.inquiries = new Inquiries(parts, config);
    }

    @Override
    public void stop() {
        stopping = true;
        inquiries.nudge();
    }

    /**
     * Sweeps.
     *
     * @throws RuntimeException what the taking of rows met, once everything that was out has ended
     */
    ReconcileReport run() {
        tellOfOverdue();
        long end = parts.now() + LONGEST_RUN;
        open.addAll(parts.available().get());
        while (!stopping && !Thread.currentThread().isInterrupted()) {
            boolean later = parts.now() - end < 0 && take();
            if (inquiries.isEmpty()) {
                if (later) {
                    continue;
                }
                break;
            }
            inquiries.await();
            count(inquiries.conclude());
        }
        if (Thread.currentThread().isInterrupted()) {
            inquiries.drop();
        } else {
            count(inquiries.abandon());
        }
        if (failure != null) {
            throw failure;
        }
        return report;
    }

    private void tellOfOverdue() {
        long overdue = parts.store().overdue(config.overdueAfter());
        if (overdue > 0) {
            LOG.log(Level.WARNING, "the outcome of {0} entries has been unknown for more than {1}", new Object[] {
                overdue, config.overdueAfter()
            });
        }
    }

    /** Asks about rows of each destination for which there are slots; answers whether there may be more to take later. */
    private boolean take() {
        boolean later = false;
        for (String destination : List.copyOf(open)) {
            long bytes = parts.questionBytes() - inquiries.bytes();
            if (bytes <= 0) {
                return true;
            }
            int slots = takeSlots(destination);
            if (slots == 0) {
                // Those that are out may give theirs back; a thread that hangs does not.
                later |= !inquiries.isEmpty();
                continue;
            }
            open.remove(destination);
            // Fewer than slots is not all: a question is bounded in bytes, too.
            if (ask(destination, slots, bytes) > 0) {
                // To the end, so that each has its turn.
                open.add(destination);
                later = true;
            }
        }
        return later;
    }

    private int takeSlots(String destination) {
        int taken = 0;
        while (parts.slots().tryTake(destination, config.concurrency(), config.concurrencyOfDestination())) {
            taken++;
        }
        return taken;
    }

    /** Asks about as many rows as there are slots, and as fit; answers how many it took. */
    private int ask(String destination, int slots, long bytes) {
        List<Question> questions = List.of();
        try {
            Optional<OutboxReconciler> reconciler = parts.reconciler().apply(destination);
            if (reconciler.isPresent()) {
                questions = parts.store().take(request, Set.of(destination), slots, bytes);
                questions.forEach(question -> inquiries.ask(question, reconciler.get()));
            }
        } catch (RuntimeException met) {
            failure = met;
            open.clear();
        } finally {
            for (int unused = questions.size(); unused < slots; unused++) {
                parts.slots().free(destination);
            }
        }
        return questions.size();
    }

    private void count(List<Reconciliation> ended) {
        ended.forEach(one -> report = report.plus(one));
    }
}
