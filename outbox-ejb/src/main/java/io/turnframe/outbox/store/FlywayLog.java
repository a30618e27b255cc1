package io.turnframe.outbox.store;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/** Flyway's log one level down: it tells at INFO how it works, and what it did is one line of ours. */
public final class FlywayLog implements LogCreator {
    @Override
    public Log createLogger(Class<?> type) {
        return new Quiet(Logger.getLogger(type.getName()));
    }

    /** Errors are thrown as well, and whoever catches them says so. */
    private record Quiet(Logger logger) implements Log {
        @Override
        public void debug(String message) {
            logger.finer(message);
        }

        @Override
        public void info(String message) {
            logger.fine(message);
        }

        @Override
        public void notice(String message) {
            logger.fine(message);
        }

        @Override
        public void warn(String message) {
            logger.warning(message);
        }

        @Override
        public void error(String message) {
            logger.fine(message);
        }

        @Override
        public void error(String message, Exception cause) {
            logger.log(Level.FINE, message, cause);
        }
    }
}
