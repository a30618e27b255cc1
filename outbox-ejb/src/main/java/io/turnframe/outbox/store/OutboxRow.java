package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.persistence.InstantConverter;
import io.turnframe.outbox.store.persistence.NullableUuidConverter;
import io.turnframe.outbox.store.persistence.StatusConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

/**
 * A row of {@code tf_outbox}, as queries name it. Rows are written by bulk statements alone; a managed instance is only
 * ever read.
 */
@Entity
@Table(name = "tf_outbox")
public class OutboxRow {
    @Id
    @Column(name = "outbox_id")
    private UUID outboxId;

    @Column(name = "command_id")
    private UUID commandId;

    @Column(name = "destination")
    private String destination;

    @Column(name = "payload")
    private String payload;

    @Column(name = "idempotency_key")
    private String idempotencyKey;

    @Convert(converter = StatusConverter.class)
    @Column(name = "status")
    private OutboxStatus status;

    @Column(name = "attempt_count")
    private int attemptCount;

    @Convert(converter = InstantConverter.class)
    @Column(name = "next_attempt_at")
    private Instant nextAttemptAt;

    @Convert(converter = InstantConverter.class)
    @Column(name = "created_at")
    private Instant createdAt;

    @Convert(converter = InstantConverter.class)
    @Column(name = "completed_at")
    private Instant completedAt;

    @Column(name = "claim_worker_id")
    private String claimWorkerId;

    @Convert(converter = InstantConverter.class)
    @Column(name = "claim_taken_at")
    private Instant claimTakenAt;

    @Column(name = "last_failure")
    private String lastFailure;

    @Column(name = "remote_ref")
    private String remoteRef;

    /** The fence: which claim call holds, or last held, the row. */
    @Convert(converter = NullableUuidConverter.class)
    @Column(name = "claim_token")
    private UUID claimToken;

    /** The mark: when the send of the present claim started; absent where the destination deduplicates. */
    @Convert(converter = InstantConverter.class)
    @Column(name = "send_started_at")
    private Instant sendStartedAt;

    /** Whether the present claim sends without a mark, since the destination deduplicated when it was taken. */
    @Column(name = "sends_unmarked")
    private boolean sendsUnmarked;

    /** Claims that do not count against the budget. */
    @Column(name = "attempts_forgiven")
    private int attemptsForgiven;

    /** Claims that were abandoned after their send may have started. */
    @Column(name = "abandoned_count")
    private int abandonedCount;

    /** When a delayed row was found due; it is ready once this is not before {@link #nextAttemptAt}. */
    @Convert(converter = InstantConverter.class)
    @Column(name = "promoted_at")
    private Instant promotedAt;

    /** Since when the outcome is unknown; absent in any other status, and where another program made it so. */
    @Convert(converter = InstantConverter.class)
    @Column(name = "unknown_since")
    private Instant unknownSince;

    /** The {@link #attemptCount} that {@link #unknownSince} belongs to; another one tells that it is stale. */
    @Column(name = "unknown_attempt")
    private Integer unknownAttempt;

    /** How often the remote was asked since then. */
    @Column(name = "reconcile_count")
    private int reconcileCount;

    /** When it is asked next, absent for at once; while it is being asked, when the question counts as abandoned. */
    @Convert(converter = InstantConverter.class)
    @Column(name = "reconcile_at")
    private Instant reconcileAt;

    /** Who is asking, or null. */
    @Column(name = "reconcile_worker_id")
    private String reconcileWorkerId;

    /** For the persistence provider. */
    protected OutboxRow() {}

    /** The row as callers see it. */
    OutboxRecord toRecord() {
        OutboxEntry entry = OutboxEntry.builder()
                .outboxId(outboxId)
                .commandId(commandId)
                .destination(destination)
                .payload(payload)
                .idempotencyKey(idempotencyKey)
                .status(status)
                .attemptCount(attemptCount)
                .nextAttemptAt(Instants.within(nextAttemptAt))
                .createdAt(Instants.withinOrFirst(createdAt))
                .completedAt(Instants.within(completedAt))
                .build();
        OutboxClaim claim = claimWorkerId == null || claimTakenAt == null
                ? null
                : new OutboxClaim(claimWorkerId, Instants.within(claimTakenAt));
        return new OutboxRecord(entry, claim, lastFailure, remoteRef);
    }
}
