package io.turnframe.outbox.it.jta.business;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Where the business tables are. */
public enum Books {
    /** On the data source of the outbox. */
    SHARED("java:/jdbc/OutboxDS"),
    /** On a name of its own for the pool of the outbox. */
    ALIAS("java:/jdbc/BusinessAlias"),
    /** In a database of its own, behind an XA data source. */
    APART("java:/jdbc/BusinessDS"),
    /** In a database of its own, behind a data source that is not XA: WildFly's example. */
    NOT_XA("java:jboss/datasources/ExampleDS");

    private final String jndiName;

    Books(String jndiName) {
        this.jndiName = jndiName;
    }

    /** Creates the table unless it is there. */
    void open() {
        run(
                "CREATE TABLE IF NOT EXISTS business_order (id varchar(36) NOT NULL PRIMARY KEY)",
                PreparedStatement::execute);
    }

    void write(UUID order) {
        run("INSERT INTO business_order (id) VALUES (?)", insert -> {
            insert.setString(1, order.toString());
            return insert.executeUpdate();
        });
    }

    /** Whether an order is there. */
    boolean has(UUID order) {
        return run("SELECT COUNT(*) FROM business_order WHERE id = ?", select -> {
            select.setString(1, order.toString());
            return number(select) == 1;
        });
    }

    /** The database's own name. */
    public String product() {
        return run("SELECT 1", select -> select.getConnection().getMetaData().getDatabaseProductName());
    }

    /** The one number that a statement answers. */
    public long number(String sql) {
        return run(sql, Books::number);
    }

    private static long number(PreparedStatement select) throws SQLException {
        try (ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private <T> T run(String sql, Work<T> work) {
        try (Connection connection =
                        InitialContext.<DataSource>doLookup(jndiName).getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.with(statement);
        } catch (SQLException | NamingException failed) {
            throw new IllegalStateException(jndiName + " did not do it: " + failed.getMessage(), failed);
        }
    }

    private interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }
}
