package io.turnframe.outbox;

import java.io.Serializable;
import java.util.Objects;

/** An entry with what the store keeps beside it. Immutable; crosses remote views. */
public final class OutboxRecord implements Serializable {
    private static final long serialVersionUID = 1L;

    private final OutboxEntry entry;
    private final OutboxClaim claim;
    private final String lastFailure;
    private final String remoteRef;

    /**
     * @param claim null unless the entry is dispatching
     * @param lastFailure null if no attempt has failed
     * @param remoteRef null if the remote gave none
     */
    public OutboxRecord(OutboxEntry entry, OutboxClaim claim, String lastFailure, String remoteRef) {
        this.entry = OutboxEntry.required("entry", entry);
        this.claim = claim;
        this.lastFailure = lastFailure;
        this.remoteRef = remoteRef;
    }

    public OutboxEntry entry() {
        return entry;
    }

    /** The claim while the entry is dispatching, else null. */
    public OutboxClaim claim() {
        return claim;
    }

    /** The stable code of the last failure, or null. */
    public String lastFailure() {
        return lastFailure;
    }

    /** The reference the remote gave, or null. */
    public String remoteRef() {
        return remoteRef;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OutboxRecord that
                && entry.equals(that.entry)
                && Objects.equals(claim, that.claim)
                && Objects.equals(lastFailure, that.lastFailure)
                && Objects.equals(remoteRef, that.remoteRef);
    }

    @Override
    public int hashCode() {
        return entry.hashCode();
    }

    @Override
    public String toString() {
        return "OutboxRecord[" + entry + ", claim=" + claim + ", lastFailure=" + lastFailure + ", remoteRef="
                + remoteRef + "]";
    }
}
