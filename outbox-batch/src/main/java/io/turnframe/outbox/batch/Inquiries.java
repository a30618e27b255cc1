package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.store.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Asks reconcilers, each on a thread of the executor and with a deadline, and settles what they answer. One thread calls
 * it; only answers come from others. It never throws what a reconciler or a settlement throws: a row that is not settled
 * is asked about again when its lease is over.
 */
final class Inquiries {
    private static final Logger LOG = Logger.getLogger(Inquiries.class.getName());

    private final ReconcileParts parts;
    private final ReconcileConfig config;
    private final Set<Inquiry> out = new LinkedHashSet<>();

    private final Object monitor = new Object();
    private final List<Inquiry> arrivals = new ArrayList<>();
    private boolean nudged;

    Inquiries(ReconcileParts parts, ReconcileConfig config) {
        this.parts = parts;
        this.config = config;
    }

    boolean isEmpty() {
        return out.isEmpty();
    }

    /** What is out holds so much of payload, in characters: about as many bytes. */
    long bytes() {
        return out.stream()
                .mapToLong(
                        inquiry -> inquiry.question().record().entry().payload().length())
                .sum();
    }

    /** Starts asking; the caller has taken a slot for it, which is given back when its thread is. */
    void ask(Question question, OutboxReconciler reconciler) {
        Inquiry inquiry = new Inquiry(question, parts.now() + config.timeout().toNanos());
        out.add(inquiry);
        try {
            inquiry.task(parts.executor().apply(() -> run(inquiry, reconciler)));
        } catch (RuntimeException | Error cannotStart) {
            // It may have been queued all the same: then its thread gives the slot back.
            LOG.log(Level.FINE, "no thread for a question; it is put off", cannotStart);
            giveUp(inquiry);
        }
    }

    /** On a thread of the executor. */
    private void run(Inquiry inquiry, OutboxReconciler reconciler) {
        if (!inquiry.begin()) {
            return;
        }
        Question question = inquiry.question();
        Reconciled answer = null;
        try {
            answer = reconciler.reconcile(question.record());
            if (answer == null) {
                LOG.log(
                        Level.WARNING,
                        "the reconciler of {0} answered null about entry {1}; it is asked again",
                        new Object[] {question.destination(), question.outboxId()});
            }
        } catch (Throwable accident) {
            // Not the message: it may quote the payload.
            LOG.log(Level.WARNING, "the reconciler of {0} threw {1} on entry {2}; it is asked again", new Object[] {
                question.destination(), accident.getClass().getName(), question.outboxId()
            });
        } finally {
            parts.slots().free(question.destination());
            if (inquiry.end(answer)) {
                arrive(inquiry);
            }
        }
    }

    private void arrive(Inquiry inquiry) {
        synchronized (monitor) {
            arrivals.add(inquiry);
            monitor.notifyAll();
        }
    }

    /** Waits until there is something to conclude, or somebody calls {@link #nudge}. */
    void await() {
        long until = out.stream()
                .mapToLong(Inquiry::deadline)
                .reduce((a, b) -> a - b < 0 ? a : b)
                .orElse(parts.now());
        synchronized (monitor) {
            long left;
            while (arrivals.isEmpty() && !nudged && (left = until - parts.now()) > 0) {
                try {
                    monitor.wait(Math.max(1, left / 1_000_000));
                } catch (InterruptedException shuttingDown) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
            nudged = false;
        }
    }

    /** Ends a wait; from any thread. */
    void nudge() {
        synchronized (monitor) {
            nudged = true;
            monitor.notifyAll();
        }
    }

    /** Settles what has been answered, and puts off what has missed its deadline; answers how those ended. */
    List<Reconciliation> conclude() {
        long now = parts.now();
        List<Inquiry> late = out.stream()
                .filter(inquiry -> now - inquiry.deadline() >= 0)
                .filter(this::giveUp)
                .toList();
        for (Inquiry inquiry : late) {
            LOG.log(
                    Level.WARNING,
                    "the reconciler of {0} did not answer about entry {1} in {2}; it is asked again",
                    new Object[] {
                        inquiry.question().destination(), inquiry.question().outboxId(), config.timeout()
                    });
        }
        return settleArrived();
    }

    /** Gives up what is out, and settles what has been answered; answers how all of it ended. */
    List<Reconciliation> abandon() {
        out.forEach(this::giveUp);
        return settleArrived();
    }

    /** Gives up what is out and stores nothing: for an interrupted thread, which must not talk to a database. */
    void drop() {
        out.forEach(this::giveUp);
        out.clear();
    }

    /** False if it has been answered. */
    private boolean giveUp(Inquiry inquiry) {
        if (!inquiry.end(null)) {
            return false;
        }
        if (!inquiry.interrupt()) {
            parts.slots().free(inquiry.question().destination());
        }
        arrive(inquiry);
        return true;
    }

    private List<Reconciliation> settleArrived() {
        List<Inquiry> ended;
        synchronized (monitor) {
            ended = List.copyOf(arrivals);
            arrivals.clear();
        }
        ended.forEach(out::remove);
        return ended.stream().map(this::settle).toList();
    }

    private Reconciliation settle(Inquiry inquiry) {
        Question question = inquiry.question();
        Reconciled answer = inquiry.answer() == null ? Reconciled.unresolved() : storable(inquiry.answer());
        boolean settled = false;
        try {
            if (settles(question, answer)) {
                settled = parts.store().settle(question, parts.workerId(), answer);
                tell(question, answer, settled);
            } else {
                Duration delay = config.backoffFor(question.number());
                parts.store().putOff(question, delay);
            }
        } catch (RuntimeException met) {
            LOG.log(
                    Level.WARNING,
                    "the answer about entry " + question.outboxId() + " could not be stored; it is asked again",
                    met);
        }
        if (settled && answer.kind() == Reconciled.Kind.RESEND) {
            parts.wakeUp().run();
        }
        parts.observer().accept(question.destination(), settled ? answer.kind() : Reconciled.Kind.UNRESOLVED);
        return new Reconciliation(answer, settled);
    }

    private static boolean settles(Question question, Reconciled answer) {
        return switch (answer.kind()) {
            case COMPLETED, FAILED -> true;
            case RESEND -> question.settled();
            case UNRESOLVED -> false;
        };
    }

    private static void tell(Question question, Reconciled answer, boolean settled) {
        LOG.log(Level.INFO, "entry {0} to {1} is reconciled: {2}{3}", new Object[] {
            question.outboxId(),
            question.destination(),
            answer.kind(),
            settled ? "" : "; but another has settled it meanwhile"
        });
    }

    /** The answer with values that the store accepts. */
    private static Reconciled storable(Reconciled answer) {
        return switch (answer.kind()) {
            case COMPLETED -> Reconciled.completed(Verdict.usable(((Reconciled.Completed) answer).remoteRef()));
            case FAILED -> Reconciled.failed(Verdict.code(((Reconciled.Failed) answer).code()));
            case RESEND, UNRESOLVED -> answer;
        };
    }
}
