package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/** A bad sender: it makes a code of its own for each entry. */
@Stateless
@Remote(OutboxSender.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class CodeSender implements OutboxSender {
    static final String JNDI_NAME = "java:global/application/CodeSender!io.turnframe.outbox.OutboxSender";

    @Override
    public Dispatched send(OutboxEntry entry) {
        return Dispatched.permanent("code." + entry.idempotencyKey());
    }
}
