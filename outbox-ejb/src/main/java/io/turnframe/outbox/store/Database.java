package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.persistence.OutboxH2Platform;
import io.turnframe.outbox.store.persistence.OutboxMariaDBPlatform;
import io.turnframe.outbox.store.persistence.OutboxPostgreSQLPlatform;
import jakarta.persistence.Query;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.eclipse.persistence.internal.databaseaccess.DatabasePlatform;

/** The supported databases, and in what they differ. */
public enum Database {
    /** H2, embedded: for demonstration and tests. */
    H2("h2", OutboxH2Platform::new, Queue.BY_COLUMN),
    /** PostgreSQL 13 and later. */
    POSTGRESQL("postgresql", OutboxPostgreSQLPlatform::new, Queue.BY_PARTIAL_INDEX),
    /** MariaDB 10.7 and later, at READ COMMITTED. */
    MARIADB("mariadb", OutboxMariaDBPlatform::new, Queue.BY_COLUMN);

    /** The status of a row, in JPQL over {@code o}. */
    static final String STATUS = "o.status";

    /** SQLSTATE of a unique violation on H2 and PostgreSQL. */
    static final String UNIQUE_VIOLATION = "23505";

    /** Far longer than any statement on rows named by their ids needs. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final String label;
    private final Supplier<DatabasePlatform> platform;
    private final Queue queue;

    Database(String label, Supplier<DatabasePlatform> platform, Queue queue) {
        this.label = label;
        this.platform = platform;
        this.queue = queue;
    }

    /**
     * How a statement names the ready and the delayed rows so that the database uses their index.
     *
     * @param ready in JPQL, over {@code o}
     * @param delayed in JPQL, over {@code o}
     * @param readySql in SQL
     * @param delayedSql in SQL
     */
    record Queue(String ready, String delayed, String readySql, String delayedSql) {
        /**
         * The predicates of the partial indexes, to the letter: a status that were bound as a parameter could not be
         * matched with them by a plan that is kept.
         */
        static final Queue BY_PARTIAL_INDEX = new Queue(
                "o.status = sql('''pending''')" + " and (o.nextAttemptAt is null or o.promotedAt >= o.nextAttemptAt)",
                "o.status = sql('''pending''') and o.nextAttemptAt is not null"
                        + " and (o.promotedAt is null or o.promotedAt < o.nextAttemptAt)",
                "status = 'pending' AND (next_attempt_at IS NULL OR promoted_at >= next_attempt_at)",
                "status = 'pending' AND next_attempt_at IS NOT NULL"
                        + " AND (promoted_at IS NULL OR promoted_at < next_attempt_at)");

        /** A generated column leads the indexes; no entity maps it. */
        static final Queue BY_COLUMN =
                new Queue("column('readiness', o) = 1", "column('readiness', o) = 2", "readiness = 1", "readiness = 2");
    }

    /**
     * The database behind {@code dataSource}.
     *
     * @throws OutboxException with code {@link OutboxException#STORE_UNAVAILABLE} if it is not supported
     * @throws SQLException if it gives no connection
     */
    public static Database of(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return ofProduct(connection.getMetaData().getDatabaseProductName());
        }
    }

    /**
     * The database that calls itself so.
     *
     * @throws OutboxException with code {@link OutboxException#STORE_UNAVAILABLE} if it is not supported
     */
    static Database ofProduct(String product) {
        String name = product.toLowerCase(Locale.ROOT);
        for (Database database : values()) {
            if (name.contains(database.label)) {
                return database;
            }
        }
        throw new OutboxException(
                OutboxException.STORE_UNAVAILABLE,
                "the outbox does not support the database " + product
                        + " behind jdbc/OutboxDS; use PostgreSQL, MariaDB or H2",
                null);
    }

    /** The folder of its schema scripts. */
    public String label() {
        return label;
    }

    /** A new EclipseLink platform for it. */
    public DatabasePlatform newPlatform() {
        return platform.get();
    }

    Queue queue() {
        return queue;
    }

    /**
     * Whether ORDER BY, LIMIT and FOR UPDATE SKIP LOCKED in one statement lock no more rows than they return. H2 locks
     * every row that matches.
     */
    boolean locksInOrder() {
        return this != H2;
    }

    /**
     * Whether a lock over a range of an index takes no row but those it returns. H2 locks every row that matches, MariaDB
     * the row after the last as well, which may be one that is to be claimed or settled. There the ids are read unlocked,
     * the rows locked by nothing but their ids, and then looked at again.
     */
    boolean locksRangesExactly() {
        return this == POSTGRESQL;
    }

    /**
     * Whether one INSERT stores many rows, ignores those that exist and answers with the ids it stored, so that a
     * duplicate does not abort the transaction. On H2 a failed statement leaves the transaction as it was; there the
     * error is caught instead.
     */
    boolean ignoresConflicts() {
        return this != H2;
    }

    /** An INSERT of these rows; where {@link #ignoresConflicts} it answers with the ids it stored. */
    String insert(String columns, String rows) {
        return switch (this) {
            case H2 -> "INSERT INTO tf_outbox " + columns + " VALUES " + rows;
            case POSTGRESQL ->
                "INSERT INTO tf_outbox " + columns + " VALUES " + rows + " ON CONFLICT DO NOTHING RETURNING outbox_id";
            case MARIADB -> "INSERT IGNORE INTO tf_outbox " + columns + " VALUES " + rows + " RETURNING outbox_id";
        };
    }

    /**
     * An INSERT of one row that waits for another transaction with the same key and then changes nothing. On H2 it fails
     * instead, with {@link #UNIQUE_VIOLATION}, and leaves the transaction as it was.
     */
    String insertIfAbsent(String table, String column) {
        String into = " INTO " + table + " (" + column + ") VALUES (?)";
        return switch (this) {
            case H2 -> "INSERT" + into;
            case POSTGRESQL -> "INSERT" + into + " ON CONFLICT DO NOTHING";
            case MARIADB -> "INSERT IGNORE" + into;
        };
    }

    /**
     * What to compare with a status in JPQL over {@code o}, so that an index leads to it. Where there are no partial indexes,
     * a generated column holds the statuses that need a person, and leads an index in the order of pages; no entity maps it.
     */
    String statusColumn(OutboxStatus status) {
        boolean needsAPerson = status == OutboxStatus.FAILED || status == OutboxStatus.OUTCOME_UNKNOWN;
        return needsAPerson && this != POSTGRESQL ? "column('doubt', o)" : STATUS;
    }

    /** The payload as text, in JPQL over {@code o}: a table that another program created may hold it as jsonb. */
    String payload() {
        return this == POSTGRESQL ? "sql('CAST(? AS text)', o.payload)" : "o.payload";
    }

    /** The payload's length in bytes, in JPQL over {@code o}. */
    String payloadBytes() {
        return this == POSTGRESQL
                ? "sql('OCTET_LENGTH(CAST(? AS text))', o.payload)"
                : "sql('OCTET_LENGTH(?)', o.payload)";
    }

    /**
     * Bounds the wait of a statement for another transaction, which may be in doubt for minutes. H2 gives up by itself,
     * after 2 seconds unless set otherwise; MariaDB after 50, and PostgreSQL waits for ever.
     */
    Query bounded(Query query) {
        return this == H2 ? query : query.setHint("jakarta.persistence.query.timeout", LONGEST_WAIT.toMillis());
    }

    /** As {@link #bounded}. */
    void bound(Statement statement) throws SQLException {
        if (this != H2) {
            statement.setQueryTimeout((int) LONGEST_WAIT.toSeconds());
        }
    }

    /**
     * The schema of the table that a statement means by its bare name, as the catalogue calls it; null where the catalogue
     * alone says it.
     */
    String schemaOf(Connection connection, String table) throws SQLException {
        if (this == MARIADB) {
            return null;
        }
        String select = this == POSTGRESQL
                ? "SELECT nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = '" + table
                        + "'::regclass"
                : "SELECT * FROM " + table + " WHERE 1 = 0";
        try (PreparedStatement statement = connection.prepareStatement(select);
                ResultSet rows = statement.executeQuery()) {
            if (this == H2) {
                return rows.getMetaData().getSchemaName(1);
            }
            rows.next();
            return rows.getString(1);
        }
    }

    /**
     * That a row is one of those named by the parameter {@code ids}, in JPQL over {@code o}. Where the database takes an
     * array, the statement is the same for any number of ids, and neither the provider nor the database reads it anew.
     */
    String amongIds() {
        return this == POSTGRESQL ? "sql('? = ANY (?)', o.outboxId, :ids)" : "o.outboxId in :ids";
    }

    /** The value of the parameter {@code ids} of {@link #amongIds}. */
    Object ids(Collection<UUID> ids) {
        return this == POSTGRESQL ? ids.toArray(UUID[]::new) : ids;
    }

    /**
     * When the oldest row of a destination that is so was created, in SQL; the destination is bound {@link #timesBound}
     * times. A plan that PostgreSQL keeps is for any destination, and supposes that all have as many rows: to the first of one it
     * would walk past the million of another that is held. A range and this order leave it no index but the destinations'.
     */
    String oldestOfOne(String condition) {
        return "(SELECT created_at FROM tf_outbox WHERE " + condition
                + (this == POSTGRESQL
                        ? " AND destination >= ? AND destination <= ? ORDER BY destination, created_at, outbox_id LIMIT 1)"
                        : " AND destination = ? ORDER BY created_at, outbox_id LIMIT 1)");
    }

    /** How often {@link #oldestOfOne} has the destination bound. */
    int timesBound() {
        return this == POSTGRESQL ? 2 : 1;
    }

    /** The present instant, in SQL; on H2 that at which the transaction began. */
    String now() {
        return switch (this) {
            case MARIADB -> "UTC_TIMESTAMP(6)";
            case POSTGRESQL -> "statement_timestamp()";
            case H2 -> "CURRENT_TIMESTAMP";
        };
    }

    /** Binds an instant, or null. MariaDB's DATETIME has no zone and holds UTC. */
    void bind(PreparedStatement statement, int index, Instant instant) throws SQLException {
        OffsetDateTime timestamp = instant == null ? null : instant.atOffset(ZoneOffset.UTC);
        if (this == MARIADB) {
            statement.setObject(index, timestamp == null ? null : timestamp.toLocalDateTime(), Types.TIMESTAMP);
        } else {
            statement.setObject(index, timestamp, Types.TIMESTAMP_WITH_TIMEZONE);
        }
    }

    /** Reads an instant, or null; MariaDB's date of zeros, which the driver takes for null, as the first of a record. */
    Instant instant(ResultSet row, int column) throws SQLException {
        if (this == MARIADB) {
            LocalDateTime utc = row.getObject(column, LocalDateTime.class);
            if (utc == null) {
                return row.getString(column) == null ? null : OutboxEntry.MIN_INSTANT;
            }
            return utc.toInstant(ZoneOffset.UTC);
        }
        OffsetDateTime timestamp = row.getObject(column, OffsetDateTime.class);
        return timestamp == null ? null : timestamp.toInstant();
    }
}
