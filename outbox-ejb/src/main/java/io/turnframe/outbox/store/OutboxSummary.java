package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.util.UUID;

/**
 * A record without its payload, which may be large and may hold personal data.
 *
 * @param nextAttemptAt null for at once
 * @param completedAt null unless completed or failed
 * @param claimWorkerId null unless dispatching
 * @param claimedAt null unless dispatching
 * @param lastFailure the stable code of the last failure, or null
 * @param remoteRef the reference the remote gave, or null
 * @param unknownSince since when the outcome is unknown; null unless it is, or if another program has made it so
 */
public record OutboxSummary(
        UUID outboxId,
        UUID commandId,
        String destination,
        String idempotencyKey,
        OutboxStatus status,
        int attemptCount,
        Instant nextAttemptAt,
        Instant createdAt,
        Instant completedAt,
        String claimWorkerId,
        Instant claimedAt,
        String lastFailure,
        String remoteRef,
        Instant unknownSince) {
    /** Keeps instants that no record can carry within the years 1600 to 9999, as the record does. */
    public OutboxSummary {
        nextAttemptAt = Instants.within(nextAttemptAt);
        createdAt = Instants.withinOrFirst(createdAt);
        completedAt = Instants.within(completedAt);
        claimedAt = Instants.within(claimedAt);
        unknownSince = Instants.within(unknownSince);
    }

    /**
     * As the columns of a row have it.
     *
     * @param unknownSince also one that is no longer true
     * @param unknownAttempt the attempt that it belongs to, or null
     */
    public OutboxSummary(
            UUID outboxId,
            UUID commandId,
            String destination,
            String idempotencyKey,
            OutboxStatus status,
            int attemptCount,
            Instant nextAttemptAt,
            Instant createdAt,
            Instant completedAt,
            String claimWorkerId,
            Instant claimedAt,
            String lastFailure,
            String remoteRef,
            Instant unknownSince,
            Integer unknownAttempt) {
        this(
                outboxId,
                commandId,
                destination,
                idempotencyKey,
                status,
                attemptCount,
                nextAttemptAt,
                createdAt,
                completedAt,
                claimWorkerId,
                claimedAt,
                lastFailure,
                remoteRef,
                status == OutboxStatus.OUTCOME_UNKNOWN && unknownAttempt != null && unknownAttempt == attemptCount
                        ? unknownSince
                        : null);
    }

    /** The record without its payload, and without what a record does not tell: since when its outcome is unknown. */
    public static OutboxSummary of(OutboxRecord stored) {
        OutboxEntry entry = stored.entry();
        return new OutboxSummary(
                entry.outboxId(),
                entry.commandId(),
                entry.destination(),
                entry.idempotencyKey(),
                entry.status(),
                entry.attemptCount(),
                entry.nextAttemptAt(),
                entry.createdAt(),
                entry.completedAt(),
                stored.claim() == null ? null : stored.claim().workerId(),
                stored.claim() == null ? null : stored.claim().claimedAt(),
                stored.lastFailure(),
                stored.remoteRef(),
                null);
    }

    /** As {@link OutboxPosition#of}. */
    OutboxPosition position() {
        return OutboxPosition.of(createdAt, outboxId);
    }
}
