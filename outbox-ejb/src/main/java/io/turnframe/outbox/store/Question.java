package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxRecord;
import java.time.Instant;
import java.util.UUID;

/**
 * One asking of a remote what became of an entry, from the taking of the row to its answer. Attempt and number are the
 * fence: they tell that the row is unknown by the same attempt, and that nobody has asked since.
 *
 * @param record the entry, its outcome unknown
 * @param number how often the remote has been asked since the outcome is unknown, this time included
 * @param askedAt when the row was taken, by the database's clock
 * @param settled whether the settling time had passed then, so that the answer may be to send again
 * @param act the operator who wants it asked; null for a sweep
 */
public record Question(OutboxRecord record, int number, Instant askedAt, boolean settled, Act act) {
    /** The entry's id. */
    public UUID outboxId() {
        return record.entry().outboxId();
    }

    /** The entry's destination. */
    public String destination() {
        return record.entry().destination();
    }

    /** The attempt whose outcome is unknown. */
    public int attempt() {
        return record.entry().attemptCount();
    }
}
