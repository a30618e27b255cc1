package io.turnframe.outbox;

import java.util.List;
import java.util.UUID;

/**
 * What a business application may do: enqueue and read, never claim or settle. Its remote EJB view is at
 * {@value #JNDI_NAME}; a call from another deployment of the same server joins the caller's JTA transaction.
 *
 * <p>Look it up when it is called, not at start-up: an injected reference to a deployment that is absent fails the
 * whole deployment.
 */
public interface Outbox {
    /** Where the remote view is bound. */
    String JNDI_NAME = "java:global/outbox/outbox-ejb/OutboxBean!io.turnframe.outbox.Outbox";

    /**
     * Stores a pending entry in the caller's transaction: it is sent if and only if that transaction commits.
     *
     * @see OutboxWriter#enqueue
     */
    void enqueue(OutboxEntry entry);

    /**
     * Stores many in one call, all or none: if one is refused, none is written, and the exception names it.
     *
     * @see OutboxWriter#enqueue
     */
    void enqueueAll(List<OutboxEntry> entries);

    /** @see OutboxReader#get */
    OutboxRecord get(UUID outboxId);

    /** @see OutboxReader#listForCommand */
    List<OutboxRecord> listForCommand(UUID commandId);
}
