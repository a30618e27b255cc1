package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.Reconciled;
import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A remote that keeps every request, and answers each in one of the ways there are; and its reconciler. */
@Stateless
@Remote({OutboxSender.class, OutboxReconciler.class})
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class RecordingRemote implements OutboxSender, OutboxReconciler {
    static final String JNDI_NAME = "java:global/application/RecordingRemote!io.turnframe.outbox.";

    static final String RETRYABLE = "retryable";

    /** Of ten requests two are late or silent: they take until their deadline. */
    private static final List<String> ANSWERS = List.of(
            "completed",
            "completed",
            "completed",
            RETRYABLE,
            RETRYABLE,
            "permanent",
            "permanent",
            "unknown",
            "late",
            "silent");

    private static final Queue<String> REQUESTS = new ConcurrentLinkedQueue<>();

    /** Every request so far: key, attempt, answer, payload. */
    static List<String> requests() {
        return List.copyOf(REQUESTS);
    }

    @Override
    public Dispatched send(OutboxEntry entry) {
        String answer = ANSWERS.get(random(entry).nextInt(ANSWERS.size()));
        REQUESTS.add(String.join(
                "\t", entry.idempotencyKey(), String.valueOf(entry.attemptCount()), answer, entry.payload()));
        return switch (answer) {
            case "completed" -> Dispatched.completed("reference");
            case RETRYABLE -> Dispatched.retryable("busy");
            case "permanent" -> Dispatched.permanent("refused");
            case "late" -> afterTheDeadline(Dispatched.completed("late"));
            case "silent" -> afterTheDeadline(Dispatched.unknown());
            default -> Dispatched.unknown();
        };
    }

    /** The dispatcher interrupts a send at its deadline. */
    private static Dispatched afterTheDeadline(Dispatched answer) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
        }
        return answer;
    }

    @Override
    public Reconciled reconcile(OutboxRecord record) {
        int said = random(record.entry()).split().nextInt(10);
        if (said < 5) {
            return Reconciled.resend();
        }
        if (said < 7) {
            return Reconciled.completed("found");
        }
        return said < 8 ? Reconciled.failed("never_arrived") : Reconciled.unresolved();
    }

    private static SplittableRandom random(OutboxEntry entry) {
        return new SplittableRandom(entry.idempotencyKey().hashCode() * 31L + entry.attemptCount());
    }
}
