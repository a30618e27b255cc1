package io.turnframe.outbox;

import java.util.UUID;

/**
 * The call does not fit what is stored: the status forbids the transition, the claim was lost, or the entry is a
 * duplicate. Nothing was written.
 *
 * <p>Of a duplicate, {@link #outboxId()} is the id of the entry that was refused. If only its destination and key exist, it
 * names no stored entry; null where no one entry is meant.
 */
public final class OutboxConflictException extends OutboxException {
    /** The {@link #code()} of every such exception. */
    public static final String CODE = "turnframe.store.conflict";

    private static final long serialVersionUID = 1L;

    public OutboxConflictException(String message, UUID outboxId) {
        super(CODE, message, outboxId);
    }
}
