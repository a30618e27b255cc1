package io.turnframe.outbox.it.sender;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/** Does what the test wrote. */
@Stateless
@Remote(OutboxSender.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class ScriptedSender implements OutboxSender {
    static final String JNDI_NAME = "java:global/application/ScriptedSender!io.turnframe.outbox.OutboxSender";

    @Override
    public Dispatched send(OutboxEntry entry) {
        return Script.send(entry);
    }
}
