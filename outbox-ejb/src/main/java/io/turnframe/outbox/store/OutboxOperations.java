package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import jakarta.ejb.Local;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * What operators do. Each call runs in a transaction of its own, in which it is also put on record in
 * {@code tf_outbox_audit}: an act that is not on record did not happen.
 *
 * <p>The calls on one entry throw {@link OutboxNotFoundException} if there is no such entry, {@link OutboxException} with
 * code {@link #STALE} if it is not in one of the versions of the act, and {@link OutboxConflictException} if its status
 * forbids the act; then nothing was written. A repeat that finds its work done is accepted and not put on record again.
 */
@Local
public interface OutboxOperations {
    /** {@link OutboxException#code()} when the record has changed since it was read. */
    String STALE = "turnframe.admin.stale";

    /** {@link OutboxException#code()} when there is nothing left to send. */
    String PAYLOAD_ERASED = "turnframe.admin.payload_erased";

    /** Locks the entry for a moment and answers if the act could go on from its present version: for an act that may find nothing to do. */
    void check(UUID outboxId, Act act);

    /** {@code DISPATCHING | OUTCOME_UNKNOWN → COMPLETED}. */
    void complete(UUID outboxId, Act act);

    /**
     * {@code DISPATCHING | OUTCOME_UNKNOWN → FAILED}.
     *
     * @param code a stable identifier of why
     */
    void fail(UUID outboxId, String code, Act act);

    /** {@code PENDING → PENDING}, due at another time. */
    void reschedule(UUID outboxId, Instant at, Act act);

    /**
     * {@code FAILED → PENDING}, due at once, with a whole budget.
     *
     * @throws OutboxException also with code {@link #PAYLOAD_ERASED}
     */
    void resubmit(UUID outboxId, Act act);

    /**
     * {@code OUTCOME_UNKNOWN → PENDING}, due at once; what was used of the budget stays used. The note is the evidence that
     * the remote has not done it.
     *
     * @param secondPerson whether the first call only puts the wish on record, and another operator's performs it; a wish
     *     holds for the attempt whose outcome is unknown now
     * @throws InvalidRecordException without a note
     */
    Authorisation authoriseResend(UUID outboxId, Act act, boolean secondPerson);

    /** Replaces the payload of a {@code COMPLETED | FAILED} entry, which stays. It cannot be brought back. */
    void erasePayload(UUID outboxId, Act act);

    /** As {@link DispatchStore#releaseAbandoned(Duration, Set)}; every released entry is put on record. */
    Released release(Duration age, Set<String> deduplicating, Act act);

    /** As {@link DispatchStore#releaseAbandoned(Duration, Set, UUID)}; put on record if it was released. */
    Released release(Duration age, Set<String> deduplicating, UUID outboxId, Act act);

    /**
     * Puts on record what is not done in a database: before it is done.
     *
     * @param detail with what, or null
     */
    void record(AuditedAct what, String detail, Act act);
}
