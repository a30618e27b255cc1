package io.turnframe.outbox;

import java.util.List;
import java.util.UUID;

/** The half of the store that says what is there and changes nothing. */
public interface OutboxReader {
    /**
     * Loads one record.
     *
     * @throws OutboxNotFoundException if there is none
     */
    OutboxRecord get(UUID outboxId);

    /** Every record of one command, ordered by {@code createdAt}, then {@code outboxId}; empty if there is none. */
    List<OutboxRecord> listForCommand(UUID commandId);
}
