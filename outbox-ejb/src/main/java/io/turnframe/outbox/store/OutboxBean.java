package io.turnframe.outbox.store;

import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import jakarta.ejb.EJB;
import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The remote view for business applications: a bean of its own, since one interface cannot be local and remote at once. */
@Stateless
@Remote(Outbox.class)
@TransactionAttribute(TransactionAttributeType.SUPPORTS)
public class OutboxBean implements Outbox {
    @EJB
    private DispatchStore store;

    @Override
    public void enqueue(OutboxEntry entry) {
        store.enqueue(entry);
    }

    @Override
    public void enqueueAll(List<OutboxEntry> entries) {
        store.enqueueAll(entries);
    }

    @Override
    public OutboxRecord get(UUID outboxId) {
        return store.get(outboxId);
    }

    @Override
    public List<OutboxRecord> listForCommand(UUID commandId) {
        // A copy of a class that every server's marshalling accepts.
        return new ArrayList<>(store.listForCommand(commandId));
    }
}
