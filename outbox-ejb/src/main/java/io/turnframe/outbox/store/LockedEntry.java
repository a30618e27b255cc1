package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.util.UUID;

/** What an act goes by, of a row that its transaction has locked. */
record LockedEntry(UUID outboxId, OutboxStatus status, String destination, int attemptCount) {
    static LockedEntry of(Object[] columns) {
        return new LockedEntry((UUID) columns[0], (OutboxStatus) columns[1], (String) columns[2], (Integer) columns[3]);
    }
}
