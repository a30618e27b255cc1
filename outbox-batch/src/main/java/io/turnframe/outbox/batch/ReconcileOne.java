package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.Question;
import io.turnframe.outbox.store.QuestionRequest;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Asks about one row, due or not. */
final class ReconcileOne {
    private final ReconcileParts parts;
    private final ReconcileConfig config;
    private final Act act;

    /** @param act the operator who wants it asked */
    ReconcileOne(ReconcileParts parts, ReconcileConfig config, Act act) {
        this.parts = parts;
        this.config = config;
        this.act = act;
    }

    Reconciliation reconcile(UUID outboxId) {
        var entry = parts.store().get(outboxId).entry();
        if (entry.status() != OutboxStatus.OUTCOME_UNKNOWN) {
            return Reconciliation.UNRESOLVED;
        }
        String destination = entry.destination();
        OutboxReconciler reconciler = parts.reconciler()
                .apply(destination)
                .orElseThrow(() -> new OutboxException(
                        ReconcileDesk.NO_RECONCILER,
                        "destination " + destination + " has no reconciler; set outbox.destination." + destination
                                + ".reconciler to the java: name of an EJB that is deployed",
                        outboxId));
        if (!parts.slots().tryTake(destination, config.concurrency(), config.concurrencyOfDestination())) {
            throw new OutboxException(
                    ReconcileDesk.BUSY,
                    "as many questions are out as outbox.reconcile.concurrency allows; try again later",
                    outboxId);
        }
        Optional<Question> question = take(outboxId, destination);
        if (question.isPresent()) {
            return ask(question.get(), reconciler);
        }
        if (parts.store().get(outboxId).entry().status() != OutboxStatus.OUTCOME_UNKNOWN) {
            return Reconciliation.UNRESOLVED;
        }
        throw new OutboxException(
                ReconcileDesk.BEING_ASKED,
                "entry " + outboxId + " is being asked about now; look again later",
                outboxId);
    }

    /** Gives the slot back if there is nothing to ask. */
    private Optional<Question> take(UUID outboxId, String destination) {
        Optional<Question> question = Optional.empty();
        try {
            question = parts.store()
                    .take(new QuestionRequest(parts.workerId(), config.lease(), config.settlingTime(), act), outboxId);
        } finally {
            if (question.isEmpty()) {
                parts.slots().free(destination);
            }
        }
        return question;
    }

    private Reconciliation ask(Question question, OutboxReconciler reconciler) {
        Inquiries inquiries = new Inquiries(parts, config);
        inquiries.ask(question, reconciler);
        List<Reconciliation> ended = List.of();
        while (ended.isEmpty() && !Thread.currentThread().isInterrupted()) {
            inquiries.await();
            ended = inquiries.conclude();
        }
        if (ended.isEmpty()) {
            inquiries.drop();
            return Reconciliation.UNRESOLVED;
        }
        return ended.get(0);
    }
}
