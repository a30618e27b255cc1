package io.turnframe.outbox.bench.server;

import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import jakarta.ejb.Stateless;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** A business application's bean: each call is a transaction that enqueues through the remote view. */
@Stateless
public class Enqueuer {
    /** Enqueues entries under the keys {@code key} if {@code count} is 1, else {@code key-0} and so on. */
    public void enqueue(String destination, String key, int count) throws NamingException {
        Outbox outbox = InitialContext.doLookup(Outbox.JNDI_NAME);
        if (count == 1) {
            outbox.enqueue(entry(destination, key));
        } else {
            List<OutboxEntry> entries = IntStream.range(0, count)
                    .mapToObj(i -> entry(destination, key + "-" + i))
                    .toList();
            outbox.enqueueAll(entries);
        }
    }

    private static OutboxEntry entry(String destination, String key) {
        return OutboxEntry.pending(UUID.randomUUID(), destination, key, Payload.TEXT);
    }
}
