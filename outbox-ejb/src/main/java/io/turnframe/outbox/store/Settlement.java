package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.time.Duration;
import java.util.UUID;

/**
 * How a dispatcher settles one claimed row.
 *
 * @param outboxId the row
 * @param status what it becomes: any but dispatching
 * @param code the failure's stable code, or null to keep the one already there
 * @param remoteRef the remote's reference, or null to keep the one already there
 * @param retryAfter how long after now it comes due again; null unless it becomes pending
 * @param forgiven whether the attempt uses up nothing of the budget
 */
public record Settlement(
        UUID outboxId, OutboxStatus status, String code, String remoteRef, Duration retryAfter, boolean forgiven) {
    public static Settlement completed(UUID outboxId, String remoteRef) {
        return new Settlement(outboxId, OutboxStatus.COMPLETED, null, remoteRef, null, false);
    }

    public static Settlement retry(UUID outboxId, String code, Duration retryAfter) {
        return new Settlement(outboxId, OutboxStatus.PENDING, code, null, retryAfter, false);
    }

    /** As {@link #retry}, with the budget as it was before the attempt: the destination was to blame. */
    public static Settlement unavailable(UUID outboxId, String code, Duration retryAfter) {
        return new Settlement(outboxId, OutboxStatus.PENDING, code, null, retryAfter, true);
    }

    public static Settlement failed(UUID outboxId, String code) {
        return new Settlement(outboxId, OutboxStatus.FAILED, code, null, null, false);
    }

    public static Settlement unknown(UUID outboxId, String remoteRef) {
        return new Settlement(outboxId, OutboxStatus.OUTCOME_UNKNOWN, null, remoteRef, null, false);
    }

    /** Whether it writes nothing but the status, so that many can share one statement. */
    boolean isPlainCompletion() {
        return status == OutboxStatus.COMPLETED && remoteRef == null;
    }
}
