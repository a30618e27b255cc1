package io.turnframe.outbox.it.remote;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Asks for one retry of each entry, and keeps what it was given. */
@Stateless
@Remote(OutboxSender.class)
public class RecordingSender implements OutboxSender {
    static final String JNDI_NAME = "java:global/application/RecordingSender!io.turnframe.outbox.OutboxSender";

    private static final Map<String, List<String>> PAYLOADS = new ConcurrentHashMap<>();

    @Override
    public Dispatched send(OutboxEntry entry) {
        List<String> payloads = PAYLOADS.computeIfAbsent(entry.idempotencyKey(), key -> new CopyOnWriteArrayList<>());
        payloads.add(entry.payload());
        return payloads.size() == 1 ? Dispatched.retryable("busy") : Dispatched.completed();
    }

    /** What came under this key, attempt by attempt. */
    static List<String> payloads(String key) {
        return PAYLOADS.getOrDefault(key, List.of());
    }
}
