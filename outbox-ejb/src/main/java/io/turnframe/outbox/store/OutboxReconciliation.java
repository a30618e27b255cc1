package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.Reconciled;
import jakarta.ejb.Local;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Reconciliation, as far as the store goes: which rows are asked about, by whom, and what an answer makes of them. All
 * times are of the database's clock. Each call that changes something runs in a transaction of its own, so that none is
 * open while a remote is asked.
 *
 * <p>Every call throws {@link OutboxException} with code {@link OutboxException#STORE_UNAVAILABLE} if the database does
 * not answer.
 */
@Local
public interface OutboxReconciliation {
    /** The most rows of one {@link #take}. */
    int MAX_LIMIT = 256;

    /** Whether an unknown row of these destinations is to be asked about now. One statement, no transaction. */
    boolean isDue(Set<String> destinations);

    /**
     * Takes unknown rows of these destinations that are due, those that have waited longest first: for the lease nobody
     * else does. Rows locked elsewhere are passed over.
     * None are taken only if none can be.
     *
     * @param limit rows at most, 1 to {@value #MAX_LIMIT}
     * @param maxBytes payload bytes at most; the first row is taken whatever its size
     */
    List<Question> take(QuestionRequest request, Set<String> destinations, int limit, long maxBytes);

    /**
     * Takes one row, due or not. If an operator wants it, that is put on record in {@code tf_outbox_audit}.
     *
     * @return empty if its outcome is not unknown, or another is asking about it now
     * @throws OutboxNotFoundException if there is no such row
     * @throws OutboxException with code {@link OutboxOperations#STALE} if it is in none of the versions of the operator's act
     */
    Optional<Question> take(QuestionRequest request, UUID outboxId);

    /**
     * {@code OUTCOME_UNKNOWN → COMPLETED | FAILED | PENDING} as the answer says, provided that the row is unknown by the
     * same attempt and nobody has asked since, and puts the answer on record. To send again: due at once, under the same
     * key, with the same bytes, and what was used of the budget stays used. Where an operator wanted it asked, it is put on
     * record in {@code tf_outbox_audit} too.
     *
     * @param workerId who asked
     * @param answer any but unresolved
     * @return whether it settled the row; if not, nothing was written
     */
    boolean settle(Question question, String workerId, Reconciled answer);

    /** Has the row asked about again after {@code delay}, if nobody has asked since. */
    void putOff(Question question, Duration delay);

    /** How many rows have been unknown for longer than {@code age}. */
    long overdue(Duration age);

    /** One entry. */
    OutboxRecord get(UUID outboxId);
}
