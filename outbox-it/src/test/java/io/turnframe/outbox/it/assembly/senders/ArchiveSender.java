package io.turnframe.outbox.it.assembly.senders;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.store.Destination;
import jakarta.enterprise.context.ApplicationScoped;

/** Confirms, and says what it was given. */
@ApplicationScoped
@Destination("archive")
public class ArchiveSender implements OutboxSender {
    @Override
    public Dispatched send(OutboxEntry entry) {
        return Dispatched.completed("filed " + entry.payload());
    }
}
