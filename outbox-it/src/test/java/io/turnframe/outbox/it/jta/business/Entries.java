package io.turnframe.outbox.it.jta.business;

import io.turnframe.outbox.OutboxEntry;
import java.util.UUID;

/** What follows from an order. */
public final class Entries {
    /** Not configured on any server: what is enqueued for it stays. */
    public static final String DESTINATION = "warehouse";

    private Entries() {}

    /** An entry of the order's with a key of its own. */
    public static OutboxEntry of(UUID order) {
        return of(order, UUID.randomUUID().toString());
    }

    /** An entry of the order's with this key. */
    static OutboxEntry of(UUID order, String key) {
        return OutboxEntry.pending(order, DESTINATION, key, "{\"order\":\"" + order + "\"}");
    }
}
