package io.turnframe.outbox.it.reconcile;

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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A remote that takes the first request for a key and never answers it, and answers the second; and its reconciler, which
 * answers what the key begins with.
 */
@Stateless
@Remote({OutboxSender.class, OutboxReconciler.class})
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class SilentRemote implements OutboxSender, OutboxReconciler {
    private static final Map<String, List<String>> REQUESTS = new ConcurrentHashMap<>();

    /** The payloads that came with a key, in order. */
    static List<String> requests(String key) {
        return REQUESTS.getOrDefault(key, List.of());
    }

    @Override
    public Dispatched send(OutboxEntry entry) {
        List<String> payloads = REQUESTS.computeIfAbsent(entry.idempotencyKey(), key -> new CopyOnWriteArrayList<>());
        payloads.add(entry.payload());
        if (payloads.size() > 1) {
            return Dispatched.completed("request-" + payloads.size());
        }
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
        }
        return Dispatched.unknown();
    }

    @Override
    public Reconciled reconcile(OutboxRecord record) {
        String key = record.entry().idempotencyKey();
        return switch (key.substring(0, key.indexOf(':'))) {
            case "completed" -> Reconciled.completed("found");
            case "failed" -> Reconciled.failed("remote.never_booked");
            case "resend" -> Reconciled.resend();
            case "unresolved" -> Reconciled.unresolved();
            default -> throw new IllegalStateException("broken");
        };
    }
}
