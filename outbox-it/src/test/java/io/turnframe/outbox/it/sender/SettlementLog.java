package io.turnframe.outbox.it.sender;

import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Listens to what the dispatcher logs of its settlements. */
final class SettlementLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.turnframe.outbox.batch.Settler");

    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    SettlementLog() {
        logger.addHandler(this);
    }

    boolean saysThatItStaysClaimed(UUID id) {
        return messages.stream().anyMatch(m -> m.contains(id.toString()) && m.contains("stays claimed"));
    }

    @Override
    public void publish(LogRecord message) {
        messages.add(message.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
