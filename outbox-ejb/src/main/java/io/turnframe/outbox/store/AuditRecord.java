package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.util.UUID;

/**
 * One act of an operator, as it is kept.
 *
 * @param auditId its id
 * @param actedAt when, by the database's clock
 * @param actor who
 * @param act what: the label of an {@link AuditedAct}
 * @param outboxId the entry; null if it is about none
 * @param attempt the entry's attemptCount at the time; null if it is about none
 * @param destination the entry's, or the one that was steered; null if it is about none
 * @param fromStatus the entry's status before; null if it is about none
 * @param toStatus the entry's status after; null if it is about none
 * @param note why; null if nobody said
 * @param detail with what, as {@code next_attempt_at=…}; null if there is nothing more
 */
public record AuditRecord(
        UUID auditId,
        Instant actedAt,
        String actor,
        String act,
        UUID outboxId,
        Integer attempt,
        String destination,
        OutboxStatus fromStatus,
        OutboxStatus toStatus,
        String note,
        String detail) {
    /** The longest detail, in characters. */
    static final int MAX_DETAIL = 512;

    public AuditRecord {
        if (detail != null && detail.length() > MAX_DETAIL) {
            detail = detail.substring(0, MAX_DETAIL - 1) + "…";
        }
    }

    OutboxPosition position() {
        return new OutboxPosition(actedAt, auditId);
    }
}
