package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.store.persistence.OutboxH2Platform;
import io.turnframe.outbox.store.persistence.OutboxPostgreSQLPlatform;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.eclipse.persistence.internal.databaseaccess.DatabasePlatform;

/** The supported databases, and in what they differ. */
public enum Database {
    /** H2, embedded: for demonstration and tests. */
    H2("h2", OutboxH2Platform::new, false, ""),
    /** PostgreSQL 13 and later. */
    POSTGRESQL("postgresql", OutboxPostgreSQLPlatform::new, true, " ON CONFLICT DO NOTHING");

    private final String label;
    private final Supplier<DatabasePlatform> platform;
    private final boolean locksInOrder;
    private final String ignoreConflict;

    Database(String label, Supplier<DatabasePlatform> platform, boolean locksInOrder, String ignoreConflict) {
        this.label = label;
        this.platform = platform;
        this.locksInOrder = locksInOrder;
        this.ignoreConflict = ignoreConflict;
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
                "the outbox does not support the database " + product + " behind jdbc/OutboxDS; use PostgreSQL or H2",
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

    /**
     * Whether ORDER BY, LIMIT and FOR UPDATE SKIP LOCKED in one statement lock no more rows than they return. H2 locks
     * every row that matches.
     */
    boolean locksInOrder() {
        return locksInOrder;
    }

    /**
     * What makes an INSERT ignore a row that exists, so that a duplicate does not abort the transaction. Empty where a
     * failed statement leaves the transaction as it was; there the error is caught instead.
     */
    String ignoreConflict() {
        return ignoreConflict;
    }
}
