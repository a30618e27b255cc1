package io.turnframe.outbox.it.carrier;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/** The next version: another class under the same name. */
@Stateless(name = "Carrier")
@Remote(OutboxSender.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class SecondCarrierSender implements OutboxSender {
    @Override
    public Dispatched send(OutboxEntry entry) {
        return Carrier.post(entry, "second");
    }
}
