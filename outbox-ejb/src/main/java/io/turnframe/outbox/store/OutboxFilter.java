package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.util.UUID;

/**
 * Which entries to show; a null component lets every entry pass. Ranges hold their start and not their end.
 *
 * @param failureCode the code of the last failure
 * @param due when it comes, or came, due: the time of its next attempt, or else of its creation
 * @param idempotencyKey this one exactly
 * @param keyPrefix how the key begins
 */
public record OutboxFilter(
        OutboxStatus status,
        String destination,
        UUID commandId,
        String failureCode,
        Range created,
        Range due,
        String idempotencyKey,
        String keyPrefix) {
    /** Lets every entry pass. */
    public static final OutboxFilter ALL = new OutboxFilter(null, null, null);

    /**
     * From an instant on, before another.
     *
     * @param from null for no start
     * @param before null for no end
     */
    public record Range(Instant from, Instant before) {
        public static final Range ALL = new Range(null, null);
    }

    public OutboxFilter {
        created = created == null ? Range.ALL : created;
        due = due == null ? Range.ALL : due;
    }

    public OutboxFilter(OutboxStatus status, String destination, UUID commandId) {
        this(status, destination, commandId, null, null, null, null, null);
    }

    /** The same, for another range of creation. */
    OutboxFilter withCreated(Range other) {
        return new OutboxFilter(status, destination, commandId, failureCode, other, due, idempotencyKey, keyPrefix);
    }

    /** The same, for another status. */
    public OutboxFilter withStatus(OutboxStatus other) {
        return new OutboxFilter(other, destination, commandId, failureCode, created, due, idempotencyKey, keyPrefix);
    }
}
