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
 */
public record Settlement(UUID outboxId, OutboxStatus status, String code, String remoteRef, Duration retryAfter) {
    public static Settlement completed(UUID outboxId, String remoteRef) {
        return new Settlement(outboxId, OutboxStatus.COMPLETED, null, remoteRef, null);
    }

    public static Settlement retry(UUID outboxId, String code, Duration retryAfter) {
        return new Settlement(outboxId, OutboxStatus.PENDING, code, null, retryAfter);
    }

    public static Settlement failed(UUID outboxId, String code) {
        return new Settlement(outboxId, OutboxStatus.FAILED, code, null, null);
    }

    public static Settlement unknown(UUID outboxId, String remoteRef) {
        return new Settlement(outboxId, OutboxStatus.OUTCOME_UNKNOWN, null, remoteRef, null);
    }

    /** Whether it writes nothing but the status, so that many can share one statement. */
    boolean isPlainCompletion() {
        return status == OutboxStatus.COMPLETED && remoteRef == null;
    }
}
