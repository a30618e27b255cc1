package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.OutboxException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As on PostgreSQL, where names are in upper case. */
class SchemaOnH2Test {
    private final JdbcDataSource database = new JdbcDataSource();

    private final Schema schema = new Schema(database, Database.H2);

    @BeforeEach
    void create() {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @Test
    void comesUpBesideTheTablesOfTheApplication() throws SQLException {
        execute("CREATE TABLE booking (id integer PRIMARY KEY)");
        schema.migrate();
        schema.migrate();
        schema.validate();
    }

    @Test
    void refusesWhatDoesNotFit() throws SQLException {
        assertThat(refusal()).isEqualTo(Schema.MISSING);
        schema.migrate();
        execute("DROP TABLE \"tf_outbox_history\"");
        schema.validate();
        execute("ALTER TABLE tf_outbox DROP CONSTRAINT tf_outbox_key");
        assertThat(refusal()).isEqualTo(Schema.MISMATCH);
        execute("ALTER TABLE tf_outbox ADD CONSTRAINT tf_outbox_key UNIQUE (destination, idempotency_key)");
        schema.validate();
        execute("ALTER TABLE tf_outbox DROP COLUMN send_started_at");
        assertThat(refusal()).isEqualTo(Schema.MISMATCH);
    }

    @Test
    void refusesATableWithoutTheUniqueKeyBesideOneThatHasIt() throws SQLException {
        schema.migrate();
        execute("ALTER TABLE tf_outbox DROP CONSTRAINT tf_outbox_key");
        execute("CREATE SCHEMA other");
        JdbcDataSource other = new JdbcDataSource();
        other.setURL(database.getURL() + ";SCHEMA=OTHER");
        new Schema(other, Database.H2).migrate();
        assertThat(refusal()).isEqualTo(Schema.MISMATCH);
    }

    @Test
    void requiresTheColumnsThatTheScriptsMake() throws SQLException {
        schema.migrate();
        SortedMap<String, SortedSet<String>> made = new TreeMap<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT LOWER(table_name), LOWER(column_name)"
                        + " FROM information_schema.columns WHERE table_name LIKE 'TF_OUTBOX%'")) {
            while (rows.next()) {
                made.computeIfAbsent(rows.getString(1), table -> new TreeSet<>())
                        .add(rows.getString(2));
            }
        }
        assertThat(SchemaCheck.tables(Database.H2)).isEqualTo(made);
    }

    private String refusal() {
        return catchThrowableOfType(OutboxException.class, schema::validate).code();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
