package io.turnframe.outbox;

import java.util.UUID;

/** No entry has this id. */
public final class OutboxNotFoundException extends OutboxException {
    /** The {@link #code()} of every such exception. */
    public static final String CODE = "turnframe.store.not_found";

    private static final long serialVersionUID = 1L;

    public OutboxNotFoundException(UUID outboxId) {
        super(CODE, "no entry " + outboxId, outboxId);
    }
}
