package io.turnframe.outbox;

import java.io.Serializable;
import java.time.Instant;

/** Who holds an entry in {@link OutboxStatus#DISPATCHING}, and since when. Immutable; crosses remote views. */
public final class OutboxClaim implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String workerId;
    private final long claimedAt;

    public OutboxClaim(String workerId, Instant claimedAt) {
        this.workerId = OutboxEntry.required("workerId", workerId);
        this.claimedAt = Micros.of("claimedAt", OutboxEntry.required("claimedAt", claimedAt));
    }

    public String workerId() {
        return workerId;
    }

    public Instant claimedAt() {
        return Micros.toInstant(claimedAt);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OutboxClaim that && workerId.equals(that.workerId) && claimedAt == that.claimedAt;
    }

    @Override
    public int hashCode() {
        return workerId.hashCode() * 31 + Long.hashCode(claimedAt);
    }

    @Override
    public String toString() {
        return "OutboxClaim[" + workerId + ", " + claimedAt() + "]";
    }
}
