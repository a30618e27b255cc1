package io.turnframe.outbox.it.obeying;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/** Answers as the payload, a JSON text, asks it to. */
@Stateless
@Remote(OutboxSender.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class ObeyingSender implements OutboxSender {
    @Override
    public Dispatched send(OutboxEntry entry) {
        return switch (entry.payload()) {
            case "\"busy once\"" ->
                entry.attemptCount() == 1 ? Dispatched.retryable("it.busy") : Dispatched.completed();
            case "\"refuse\"" -> Dispatched.permanent("it.refused");
            case "\"unknown\"" -> Dispatched.unknown();
            case "\"throw\"" -> throw new IllegalStateException("as it was asked to");
            default -> Dispatched.completed();
        };
    }
}
