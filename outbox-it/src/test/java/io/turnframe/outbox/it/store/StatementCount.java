package io.turnframe.outbox.it.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Counts the statements that reach the database, whoever sends them. */
abstract class StatementCount implements AutoCloseable {
    /** Begins to count. */
    static StatementCount start() {
        return switch (Probe.database()) {
            case H2 -> new OfH2();
            case POSTGRESQL -> new OfPostgreSql();
            case MARIADB -> new OfMariaDb();
        };
    }

    abstract long soFar();

    @Override
    public abstract void close();

    /** H2 keeps count by itself. */
    private static final class OfH2 extends StatementCount {
        OfH2() {
            Probe.execute("SET QUERY_STATISTICS FALSE");
            Probe.execute("SET QUERY_STATISTICS TRUE");
        }

        @Override
        long soFar() {
            return Probe.number("SELECT SUM(EXECUTION_COUNT) FROM INFORMATION_SCHEMA.QUERY_STATISTICS", 1);
        }

        @Override
        public void close() {
            Probe.execute("SET QUERY_STATISTICS FALSE");
        }
    }

    /** The driver says what it executes. */
    private static final class OfPostgreSql extends StatementCount {
        private final Logger logger = Logger.getLogger("org.postgresql.core.v3.QueryExecutorImpl");
        private final Level before = logger.getLevel();
        private final AtomicLong count = new AtomicLong();
        private final Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getMessage().contains("FE=> Execute(")) {
                    count.incrementAndGet();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };

        OfPostgreSql() {
            handler.setLevel(Level.ALL);
            logger.setLevel(Level.FINEST);
            logger.addHandler(handler);
        }

        @Override
        long soFar() {
            return count.get();
        }

        @Override
        public void close() {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
    }

    /** The server keeps count for all its databases. */
    private static final class OfMariaDb extends StatementCount {
        private final long before = questions();

        private static long questions() {
            return Probe.number("SHOW GLOBAL STATUS LIKE 'Questions'", 2);
        }

        @Override
        long soFar() {
            return questions() - before - 1;
        }

        @Override
        public void close() {}
    }
}
