package io.turnframe.outbox.it.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The SQL that the persistence provider logs while this is open, as an administrator would switch it on. */
final class SqlLog extends Handler implements AutoCloseable {
    private static final String CATEGORY = "org.eclipse.persistence.session";

    private final Logger logger = Logger.getLogger(CATEGORY);
    private final Level before = logger.getLevel();
    private final List<String> statements = new CopyOnWriteArrayList<>();

    SqlLog() {
        setLevel(Level.ALL);
        logger.setLevel(Level.FINE);
        logger.addHandler(this);
    }

    /** The SELECTs so far. */
    List<String> selects() {
        return statements.stream()
                .filter(statement -> statement.startsWith("SELECT"))
                .toList();
    }

    @Override
    public void publish(LogRecord record) {
        statements.add(record.getMessage().strip());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(before);
    }
}
