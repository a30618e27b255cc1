package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.api.output.MigrateResult;
import org.flywaydb.core.api.output.ValidateResult;

/** Brings the schema up by the scripts of this version, or says in one sentence why it is not what this version needs. */
final class Schema {
    /** {@link OutboxException#code()}: there is no table. */
    static final String MISSING = "turnframe.schema.missing";

    /** {@link OutboxException#code()}: the table or its history is that of another version. */
    static final String MISMATCH = "turnframe.schema.mismatch";

    /** {@link OutboxException#code()}: a script failed. */
    static final String MIGRATION_FAILED = "turnframe.schema.migration_failed";

    /** {@link OutboxException#code()}: another node holds the lock of the migration. */
    static final String BUSY = "turnframe.schema.busy";

    /** PostgreSQL's advisory lock that a migration holds: "tfoutbox" in ASCII. */
    static final long LOCK = 0x74666f7574626f78L;

    /** Longer than any migration should take, shorter than a server waits for a deployment. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    private static final String HISTORY_TABLE = "tf_outbox_history";
    private static final String SCRIPTS = "io/turnframe/outbox/schema/";

    /** SQLSTATE of a lock that was not to be had in time. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final Logger LOG = Logger.getLogger("io.turnframe.outbox");

    private final DataSource dataSource;
    private final Database database;
    private final long longestWaitMillis;

    Schema(DataSource dataSource, Database database) {
        this(dataSource, database, LONGEST_WAIT.toMillis());
    }

    Schema(DataSource dataSource, Database database, long longestWaitMillis) {
        this.dataSource = dataSource;
        this.database = database;
        this.longestWaitMillis = longestWaitMillis;
    }

    /**
     * Creates or upgrades it. Repeating it changes nothing. Nodes that start at the same moment take turns.
     *
     * @throws OutboxException if it cannot
     */
    void migrate() {
        MigrateResult result;
        try {
            result = database == Database.POSTGRESQL ? inTurn(flyway()::migrate) : flyway().migrate();
        } catch (FlywayValidateException differs) {
            throw mismatch(database, reason(differs), differs);
        } catch (FlywayException failed) {
            throw failure(
                    MIGRATION_FAILED,
                    "the schema could not be created or upgraded (" + reason(failed)
                            + "); let the user of jdbc/OutboxDS create tables and indexes, or apply the scripts as"
                            + " another user and set outbox.schema=validate",
                    failed);
        }
        SchemaCheck.check(dataSource, database);
        if (result.migrationsExecuted > 0) {
            String from = result.initialSchemaVersion;
            LOG.log(Level.INFO, "schema migrated from {0} to {1}", new Object[] {
                from == null || from.equals("0") ? "nothing" : "version " + from,
                "version " + result.targetSchemaVersion
            });
        }
    }

    /**
     * Accepts the schema that this version needs, whoever made it: the table has its columns and its unique key, and if
     * the scripts keep a history, all of them have run.
     *
     * @throws OutboxException if it is another; nothing is changed
     */
    void validate() {
        SchemaCheck.check(dataSource, database);
        Flyway flyway = flyway();
        try {
            if (flyway.info().current() == null) {
                LOG.info("the schema has no " + HISTORY_TABLE + " and was judged by its columns and its unique key");
                return;
            }
            ValidateResult result = flyway.validateWithResult();
            if (!result.validationSuccessful) {
                throw mismatch(database, oneLine(result.getAllErrorMessages()), null);
            }
        } catch (FlywayException unreadable) {
            throw mismatch(
                    database,
                    HISTORY_TABLE + " cannot be read (" + reason(unreadable)
                            + "); let the user of jdbc/OutboxDS SELECT it",
                    unreadable);
        }
    }

    /** The schema may hold the application's tables too: hence the baseline below our first script. */
    private Flyway flyway() {
        return Flyway.configure(Schema.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:" + scripts(database))
                .failOnMissingLocations(true)
                .table(HISTORY_TABLE)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                // It tells at INFO how it works; what it did is one line of ours, and what fails is thrown.
                .loggers()
                .load();
    }

    /**
     * On PostgreSQL the first of two nodes may create the history while the second finds it half done. The lock is one
     * of the transaction: it goes with the connection, and it holds through a pooler that changes connections between
     * transactions.
     */
    private <T> T inTurn(Supplier<T> work) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try {
                statement.execute("SET LOCAL lock_timeout = " + longestWaitMillis);
                statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
                return work.get();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException failed) {
            if (LOCK_NOT_AVAILABLE.equals(failed.getSQLState())) {
                throw failure(
                        BUSY,
                        "another node has been creating or upgrading the schema for " + longestWaitMillis
                                + " ms; deploy again when it is done, or end the session that holds the advisory lock "
                                + LOCK + " (pg_locks tells its pid)",
                        failed);
            }
            throw failure(OutboxException.STORE_UNAVAILABLE, "the database did not let the schema be migrated", failed);
        }
    }

    static OutboxException mismatch(Database database, String how, Exception cause) {
        return failure(
                MISMATCH,
                "the schema is not the one this version needs: " + how + "; deploy once with outbox.schema=migrate, or"
                        + " apply the scripts in outbox-ejb.jar, " + scripts(database),
                cause);
    }

    /** Where the scripts are, in the jar of this class. */
    static String scripts(Database database) {
        return SCRIPTS + database.label();
    }

    static OutboxException failure(String code, String sentence, Throwable cause) {
        return new OutboxException(code, code + ": " + sentence, null, cause);
    }

    /** What the database said, where it is the cause. */
    private static String reason(Throwable failure) {
        String reason = failure.getMessage();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException) {
                reason = cause.getMessage();
            }
        }
        return oneLine(reason);
    }

    /** What the database and Flyway say runs over several lines. */
    static String oneLine(String text) {
        return text == null ? "no reason given" : text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
