package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** What the store is told by the server: the data source, and from its connection the database; and its configuration. */
@ApplicationScoped
public class StoreConfig {
    private static final Logger LOG = Logger.getLogger(StoreConfig.class.getName());

    private static final String MAX_PAYLOAD = "outbox.payload.max-bytes";

    private DataSource dataSource;
    private Database database;
    private int maxPayloadBytes;
    private SchemaMode schemaMode;

    @PostConstruct
    void read() {
        dataSource = OutboxDataSource.lookup();
        try {
            database = Database.of(dataSource);
            warnOfIsolation();
        } catch (SQLException noConnection) {
            throw new IllegalStateException("the data source jdbc/OutboxDS gives no connection", noConnection);
        }
        ConfigValues values = ConfigValues.ofServer();
        maxPayloadBytes = values.integer(MAX_PAYLOAD, EntryRules.DEFAULT_MAX_PAYLOAD);
        if (maxPayloadBytes < 1) {
            throw new IllegalArgumentException(
                    MAX_PAYLOAD + " is " + maxPayloadBytes + " but must be at least 1 byte; leave it out for 8 MiB");
        }
        schemaMode = SchemaMode.ofProperty(values.text(SchemaMode.KEY).orElse("migrate"));
    }

    /** At REPEATABLE READ, its default, MariaDB locks the gaps between rows: workers meet in deadlocks. */
    private void warnOfIsolation() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (database == Database.MARIADB
                    && connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
                LOG.warning("the data source jdbc/OutboxDS is not at READ COMMITTED; set its transaction isolation to"
                        + " TRANSACTION_READ_COMMITTED, or workers will meet in deadlocks");
            }
        }
    }

    public DataSource dataSource() {
        return dataSource;
    }

    public Database database() {
        return database;
    }

    /**
     * Transactions that the database can keep prepared at once; null where it sets no bound.
     *
     * @throws IllegalStateException if it cannot be asked
     */
    public Integer maxPreparedTransactions() {
        if (database != Database.POSTGRESQL) {
            return null;
        }
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet setting = statement.executeQuery("SHOW max_prepared_transactions")) {
            setting.next();
            return setting.getInt(1);
        } catch (SQLException failed) {
            throw new IllegalStateException("the database does not say its max_prepared_transactions", failed);
        }
    }

    /** The longest payload, in bytes of UTF-8. */
    public int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    /** What to do with the schema at start-up. */
    public SchemaMode schemaMode() {
        return schemaMode;
    }
}
