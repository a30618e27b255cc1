package io.turnframe.outbox.it.sender;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** What the sender does with each entry, attempt by attempt, by key; and what it saw. */
final class Script {
    private static final Map<String, List<Function<OutboxEntry, Dispatched>>> STEPS = new ConcurrentHashMap<>();
    private static final Map<String, List<OutboxEntry>> SEEN = new ConcurrentHashMap<>();

    private Script() {}

    static void set(String key, List<Function<OutboxEntry, Dispatched>> steps) {
        STEPS.put(key, List.copyOf(steps));
    }

    /** After its last step the key completes. */
    static Dispatched send(OutboxEntry entry) {
        List<OutboxEntry> seen = SEEN.computeIfAbsent(entry.idempotencyKey(), key -> new CopyOnWriteArrayList<>());
        seen.add(entry);
        List<Function<OutboxEntry, Dispatched>> steps = STEPS.getOrDefault(entry.idempotencyKey(), List.of());
        return seen.size() > steps.size()
                ? Dispatched.completed("beyond the script")
                : steps.get(seen.size() - 1).apply(entry);
    }

    /** The entries that were sent under this key, one for each request. */
    static List<OutboxEntry> seen(String key) {
        return SEEN.getOrDefault(key, List.of());
    }
}
