package io.turnframe.outbox;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The half of the store that changes it.
 *
 * <p>Every call but {@link #enqueue} joins the caller's transaction or runs in its own. A refused call writes nothing at
 * all. Null where no null is allowed, and values beyond their limits, are {@link InvalidRecordException}; an id that
 * does not exist is {@link OutboxNotFoundException}.
 *
 * <p>The calls that name an entry by its id alone are for reconcilers and operators: they do not ask whose claim it is.
 */
public interface OutboxWriter {
    /** The largest limit of {@link #claimDue}. */
    int MAX_CLAIM = 10_000;

    /** The longest worker id. */
    int MAX_WORKER_ID = 128;

    /** The longest failure code. */
    int MAX_CODE = 128;

    /** The longest remote reference. */
    int MAX_REMOTE_REF = 512;

    /**
     * Stores a pending entry, in the caller's transaction. After each exception named below the caller may go on and commit;
     * after {@link OutboxException#STORE_UNAVAILABLE}, {@link OutboxException#NOT_ENLISTED} and
     * {@link OutboxException#STORE_BUSY} the transaction is marked for rollback. While another transaction holds the same id
     * or key, it waits as long as the caller's transaction and data source allow.
     *
     * @throws OutboxException with code {@link OutboxException#TRANSACTION_REQUIRED} if there is no transaction
     * @throws InvalidRecordException if the entry is not pending, has attempts or a completion, holds text that is not
     *     JSON, a blank or overlong field, or control characters in destination or key
     * @throws OutboxConflictException if the {@code outboxId} or the pair of destination and key exists, also when a
     *     transaction that raced this one stored it
     */
    void enqueue(OutboxEntry entry);

    /**
     * {@code PENDING → DISPATCHING} for entries that are due ({@code nextAttemptAt} absent or not after {@code now}),
     * oldest first by {@code createdAt}, then {@code outboxId}. Each gets {@code attemptCount + 1} and the claim of
     * {@code workerId} taken at {@code now}. Rows locked elsewhere are skipped, never waited for.
     *
     * @param limit at most so many, 1 to {@value #MAX_CLAIM}
     * @return the claimed entries as they are now, in order
     */
    List<OutboxEntry> claimDue(Instant now, int limit, String workerId);

    /**
     * {@code DISPATCHING | OUTCOME_UNKNOWN → COMPLETED}; clears the claim and stamps {@code completedAt}. Repeating it on
     * a completed entry changes nothing.
     *
     * @throws OutboxConflictException on any other status
     */
    void markCompleted(UUID outboxId);

    /**
     * With {@code retryAt}: {@code DISPATCHING | OUTCOME_UNKNOWN | PENDING → PENDING} at that time; stores the reason,
     * clears the claim; refused on a terminal status. Without: {@code DISPATCHING | OUTCOME_UNKNOWN → FAILED}; stores
     * the reason, stamps {@code completedAt}, clears the claim. Repeating that on a failed entry changes nothing, and the
     * first reason stays.
     *
     * @param reason a stable code, never free text
     * @param retryAt null for a failure that is final
     * @throws OutboxConflictException on any other status
     */
    void markFailed(UUID outboxId, String reason, Instant retryAt);

    /**
     * {@code DISPATCHING → OUTCOME_UNKNOWN}; clears the claim and records the reference. Repeating it on such an entry
     * only fills in a reference that is still absent.
     *
     * @param remoteRef what the remote gave, or null, which keeps the one already there
     * @throws OutboxConflictException on any other status
     */
    void markOutcomeUnknown(UUID outboxId, String remoteRef);

    /**
     * {@code DISPATCHING | OUTCOME_UNKNOWN | PENDING → PENDING} at {@code nextAttemptAt}; clears the claim, keeps
     * {@code lastFailure}.
     *
     * @throws OutboxConflictException on a terminal status
     */
    void reschedule(UUID outboxId, Instant nextAttemptAt);

    /**
     * Releases every claim taken strictly before {@code claimedBefore}: {@code DISPATCHING → PENDING}, due at once, or
     * {@code → OUTCOME_UNKNOWN} if its send is marked as started. Clears the claim. Rows locked elsewhere are skipped.
     *
     * @return the ids, sorted
     */
    List<UUID> releaseExpiredClaims(Instant claimedBefore);
}
