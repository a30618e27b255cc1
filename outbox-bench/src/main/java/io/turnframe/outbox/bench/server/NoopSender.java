package io.turnframe.outbox.bench.server;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Remote;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/** Confirms at once: what is left is the cost of the outbox. */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@Remote(OutboxSender.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class NoopSender implements OutboxSender {
    @Override
    public Dispatched send(OutboxEntry entry) {
        return Dispatched.completed();
    }
}
