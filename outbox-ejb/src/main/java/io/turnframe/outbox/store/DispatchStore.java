package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The local view of the store for this product's own modules: the contract, and beside it the bulk and fenced calls of
 * the dispatcher. Each of those runs in a transaction of its own, reads the time from the database, takes a constant
 * number of round trips, and answers with the ids it was refused: rows whose claim is no longer the caller's.
 */
public interface DispatchStore extends OutboxStore {
    /** Claims that one call releases at most. */
    int MAX_RELEASE = 1_000;

    /** Stores many entries in the caller's transaction, all or none. */
    void enqueueAll(List<OutboxEntry> entries);

    /**
     * Stores an entry in a transaction of its own; it is committed when this returns. Where {@link #enqueue} would wait for
     * another transaction until that ends, this gives up with {@link io.turnframe.outbox.OutboxException#STORE_BUSY}.
     */
    void enqueueAlone(OutboxEntry entry);

    /**
     * What there is to do. One statement, no transaction.
     *
     * @param scope the destinations whose rows could be claimed now
     */
    QueueState queueState(DestinationScope scope);

    /**
     * Makes up to {@code limit} delayed rows that have come due ready for a claim. Rows locked elsewhere are skipped.
     *
     * @return how many
     */
    int promoteDue(int limit);

    /** {@code PENDING → DISPATCHING} for ready rows, oldest first. */
    List<ClaimedEntry> claim(ClaimRequest request);

    /**
     * The same for the one destination of the request, as many as its limits allow over all nodes.
     *
     * @see DestinationControl
     */
    LimitedClaim claimLimited(ClaimRequest request);

    /**
     * Records that the sends of these rows start now, so that a crash from here on leaves them unknown rather than sent
     * again.
     *
     * @return the ids whose claim was lost: they must not be sent
     */
    Set<UUID> markSendStarted(UUID token, Collection<UUID> ids);

    /**
     * {@code DISPATCHING → } as each settlement says. Repeating a settlement under the same token is accepted.
     *
     * @param settlements by the token of their claim; all of them in one transaction
     * @param attempts what to journal with it; those of refused rows too
     * @return the ids that were refused; their rows are unchanged
     */
    Set<UUID> settle(Map<UUID, List<Settlement>> settlements, List<Attempt> attempts);

    /**
     * Locks a row in the caller's transaction, which there must be, if it is still claimed under this token.
     *
     * @return whether it is
     */
    boolean lockClaimed(UUID token, UUID outboxId);

    /**
     * As {@link #settle}, in the caller's transaction, which there must be: what it is settled for and the settlement commit
     * together.
     *
     * @param attempt what to journal with it, or null
     * @return whether it was accepted
     */
    boolean settleHere(UUID token, Settlement settlement, Attempt attempt);

    /**
     * Journals an answer that came after its attempt had been settled as unknown. If it confirms, the row is completed,
     * unless it was settled otherwise or claimed again since: {@code OUTCOME_UNKNOWN | PENDING → COMPLETED}, which also
     * stops a resend that was authorised meanwhile, and {@code DISPATCHING → COMPLETED} under the same claim.
     *
     * @param token the claim the attempt was made under
     * @param journalled whether the attempt is written into the journal
     * @return whether the row is completed now
     */
    boolean settleLate(UUID token, Attempt attempt, boolean journalled);

    /**
     * {@code DISPATCHING → PENDING} for rows that were claimed and not sent; due at once, the claim forgiven.
     *
     * @return the ids whose claim was lost
     */
    Set<UUID> giveBack(UUID token, Collection<UUID> ids);

    /**
     * Releases claims older than {@code age}, the oldest first, {@value #MAX_RELEASE} at most. A row whose send is marked as started becomes outcome_unknown. A row that was
     * claimed to be sent unmarked may have been sent: it goes back to pending if its destination is still declared to
     * deduplicate and this has not happened {@value ReleaseStage#MAX_ABANDONED} times, else to outcome_unknown. Any other
     * row was never sent and goes back to pending. Released claims do not count against the budget.
     *
     * @param deduplicating the destinations that are now declared to deduplicate by key
     */
    Released releaseAbandoned(Duration age, Set<String> deduplicating);

    /** Releases the claim of this row alone, if it is older than {@code age}: where it cannot be released with others. */
    Released releaseAbandoned(Duration age, Set<String> deduplicating, UUID outboxId);

    /** The rows whose claims are older than {@code age}, the oldest first, {@code limit} at most. No transaction. */
    List<UUID> abandoned(Duration age, int limit);
}
