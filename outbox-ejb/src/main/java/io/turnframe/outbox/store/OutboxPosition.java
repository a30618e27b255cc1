package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import java.time.Instant;
import java.util.UUID;

/** The last entry of a page; the next page starts behind it. Nothing in it is null. */
public record OutboxPosition(Instant createdAt, UUID outboxId) {
    /**
     * That of a stored row. Null at the first instant of a record, which may stand for an earlier one: what lies behind it
     * cannot be told.
     */
    static OutboxPosition of(Instant createdAt, UUID outboxId) {
        Instant within = Instants.withinOrFirst(createdAt);
        return within.equals(OutboxEntry.MIN_INSTANT) ? null : new OutboxPosition(within, outboxId);
    }
}
