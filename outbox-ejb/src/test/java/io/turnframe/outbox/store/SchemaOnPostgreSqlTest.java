package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.OutboxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** How the schema comes up, and when it is refused. */
class SchemaOnPostgreSqlTest {
    /** Often enough to meet the race: without the lock, one start in twelve failed. */
    private static final int STARTS = 25;

    private static final int NODES = 3;

    private DataSource database;

    @BeforeEach
    void create() throws SQLException {
        database = TestPostgreSql.empty();
    }

    @Test
    void comesUpCleanlyWhenNodesStartAtTheSameMomentOnAnEmptyDatabase() throws Exception {
        ExecutorService nodes = Executors.newFixedThreadPool(NODES);
        try {
            for (int start = 0; start < STARTS; start++) {
                DataSource empty = TestPostgreSql.empty();
                boolean besideOthers = start % 2 == 1;
                if (besideOthers) {
                    TestPostgreSql.execute(empty, "CREATE TABLE booking (id integer PRIMARY KEY)");
                }
                CyclicBarrier together = new CyclicBarrier(NODES);
                List<Future<?>> migrations = new ArrayList<>();
                for (int node = 0; node < NODES; node++) {
                    migrations.add(nodes.submit(() -> {
                        together.await();
                        schema(empty).migrate();
                        return null;
                    }));
                }
                for (Future<?> migration : migrations) {
                    migration.get();
                }
                assertThat(strings(empty, "SELECT version FROM tf_outbox_history ORDER BY installed_rank"))
                        .as("what ran at start %d", start)
                        .isEqualTo(besideOthers ? concat("0", versions()) : versions());
                schema(empty).validate();
            }
        } finally {
            nodes.shutdownNow();
        }
    }

    @Test
    void migratesTwiceAndValidates() {
        schema().migrate();
        schema().migrate();
        schema().validate();
    }

    @Test
    void comesUpBesideTheTablesOfTheApplication() throws SQLException {
        execute("CREATE TABLE booking (id integer PRIMARY KEY)");
        execute("INSERT INTO booking VALUES (1)");
        schema().migrate();
        schema().validate();
        assertThat(strings(database, "SELECT id FROM booking")).containsExactly("1");
    }

    @Test
    void comesUpBesideTheHistoryOfTheApplicationsOwnFlyway() throws SQLException {
        execute("CREATE TABLE flyway_schema_history (installed_rank integer PRIMARY KEY)");
        schema().migrate();
        schema().validate();
    }

    @Test
    void validatesWhatAnAdministratorAppliedByHand() throws Exception {
        execute(scripts());
        schema().validate();
        schema().migrate();
        schema().validate();
    }

    @Test
    void refusesAnEmptyDatabase() {
        refused("turnframe.schema.missing", () -> schema().validate(), "tf_outbox", "outbox.schema=migrate");
    }

    @Test
    void refusesATableThatLacksColumns() throws Exception {
        execute(scripts());
        execute("ALTER TABLE tf_outbox DROP COLUMN promoted_at, DROP COLUMN claim_token");
        refused("turnframe.schema.mismatch", () -> schema().validate(), "claim_token, promoted_at");
    }

    @Test
    void refusesATableWithoutTheUniqueKey() throws Exception {
        execute(scripts());
        execute("ALTER TABLE tf_outbox DROP CONSTRAINT tf_outbox_key");
        refused("turnframe.schema.mismatch", () -> schema().validate(), "(destination, idempotency_key)");
    }

    @Test
    void refusesATableWithoutTheUniqueKeyBesideOneThatHasIt() throws Exception {
        execute(scripts());
        execute("ALTER TABLE tf_outbox DROP CONSTRAINT tf_outbox_key");
        execute("CREATE SCHEMA outbox; SET search_path = outbox;" + scripts());
        refused("turnframe.schema.mismatch", () -> schema().validate(), "(destination, idempotency_key)");
    }

    @Test
    void findsTheTableInAnySchemaOfTheSearchPath() throws Exception {
        execute(scripts());
        execute("CREATE SCHEMA outbox");
        PGSimpleDataSource outboxFirst = new PGSimpleDataSource();
        outboxFirst.setURL(((PGSimpleDataSource) database).getURL());
        outboxFirst.setUser("postgres");
        outboxFirst.setCurrentSchema("outbox,public");
        schema(outboxFirst).validate();
    }

    @Test
    void bringsEveryCountedIndexToOneThatCarriesTheDestination() throws Exception {
        execute(scripts());
        String counted =
                "SELECT indexname FROM pg_indexes WHERE tablename = 'tf_outbox' AND indexdef LIKE '%destination%'"
                        + " AND indexname NOT IN ('tf_outbox_key', 'tf_outbox_ready_destination') ORDER BY 1";
        assertThat(strings(database, counted))
                .containsExactly(
                        "tf_outbox_claims",
                        "tf_outbox_delayed",
                        "tf_outbox_ended",
                        "tf_outbox_ready",
                        "tf_outbox_unknown");
    }

    @Test
    void setsHowTheTableIsVacuumedUnlessSomebodyHas() throws Exception {
        String options = "SELECT unnest(reloptions) FROM pg_class WHERE oid = 'tf_outbox'::regclass";
        execute(scripts());
        assertThat(strings(database, options)).contains("autovacuum_vacuum_scale_factor=0.01");
        execute("ALTER TABLE tf_outbox RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor,"
                + " autovacuum_analyze_scale_factor, autovacuum_analyze_threshold)");
        execute("ALTER TABLE tf_outbox SET (autovacuum_vacuum_threshold = 5)");
        execute(scripts());
        assertThat(strings(database, options)).containsExactly("autovacuum_vacuum_threshold=5");
    }

    @Test
    void acceptsAUniqueKeyOfAnotherName() throws Exception {
        execute(scripts());
        execute("ALTER TABLE tf_outbox DROP CONSTRAINT tf_outbox_key");
        execute("CREATE UNIQUE INDEX other ON tf_outbox (destination, idempotency_key)");
        schema().validate();
    }

    @Test
    void refusesAHistoryThatLacksAScript() throws SQLException {
        execute("CREATE TABLE booking (id integer PRIMARY KEY)");
        schema().migrate();
        execute("DELETE FROM tf_outbox_history WHERE version = '2'");
        refused("turnframe.schema.mismatch", () -> schema().validate(), "2", "outbox.schema=migrate");
    }

    @Test
    void refusesAHistoryOfAnotherScript() throws SQLException {
        schema().migrate();
        execute("UPDATE tf_outbox_history SET checksum = 1 WHERE version = '1'");
        refused("turnframe.schema.mismatch", () -> schema().validate(), "checksum");
        refused("turnframe.schema.mismatch", () -> schema().migrate(), "checksum");
    }

    @Test
    void acceptsTheHistoryOfALaterVersion() throws SQLException {
        schema().migrate();
        execute("INSERT INTO tf_outbox_history SELECT 99, '99', 'later', type, 'V99__later.sql', 5, installed_by,"
                + " installed_on, execution_time, success FROM tf_outbox_history WHERE version = '1'");
        schema().validate();
        schema().migrate();
    }

    @Test
    void saysWhenTheUserMayNotCreateTables() throws SQLException {
        execute("DROP ROLE IF EXISTS may_nothing");
        execute("CREATE ROLE may_nothing LOGIN PASSWORD 'x'");
        DataSource reader = TestPostgreSql.as("may_nothing", "x", database);
        refused(
                "turnframe.schema.migration_failed",
                () -> schema(reader).migrate(),
                "permission denied for schema public",
                "outbox.schema=validate");
    }

    @Test
    void saysWhenAnotherNodeDoesNotGetDone() throws SQLException {
        try (Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + Schema.LOCK + ")");
            var impatient = new Schema(database, Database.POSTGRESQL, 1);
            refused("turnframe.schema.busy", impatient::migrate, "pg_locks");
        }
        schema().migrate();
    }

    @Test
    void requiresTheColumnsThatTheScriptsMake() throws SQLException {
        schema().migrate();
        SortedMap<String, SortedSet<String>> made = new TreeMap<>();
        for (String table : strings(
                database,
                "SELECT table_name FROM information_schema.tables"
                        + " WHERE table_schema = 'public' AND table_name <> 'tf_outbox_history'")) {
            made.put(
                    table,
                    new TreeSet<>(strings(
                            database,
                            "SELECT column_name FROM information_schema.columns WHERE table_name = '" + table + "'")));
        }
        assertThat(SchemaCheck.tables(Database.POSTGRESQL)).isEqualTo(made);
    }

    private static void refused(String code, ThrowingCallable call, String... says) {
        OutboxException refusal = catchThrowableOfType(OutboxException.class, call);
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal.getMessage()).startsWith(code + ": ").contains(says).doesNotContain("\n");
    }

    private Schema schema() {
        return schema(database);
    }

    private static Schema schema(DataSource of) {
        return new Schema(of, Database.POSTGRESQL);
    }

    private void execute(String sql) throws SQLException {
        TestPostgreSql.execute(database, sql);
    }

    /** As an administrator applies them. */
    private static String scripts() throws IOException {
        StringBuilder scripts = new StringBuilder();
        for (Path file : files()) {
            scripts.append(Files.readString(file));
        }
        return scripts.toString();
    }

    private static List<String> versions() throws IOException {
        return files().stream()
                .map(file -> file.getFileName().toString().replaceAll("V(\\d+)__.*", "$1"))
                .toList();
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources", Schema.scripts(Database.POSTGRESQL)))) {
            return files.sorted().toList();
        }
    }

    private static List<String> concat(String first, List<String> rest) {
        return Stream.concat(Stream.of(first), rest.stream()).toList();
    }

    private static List<String> strings(DataSource of, String select) throws SQLException {
        try (Connection connection = of.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(select)) {
            List<String> strings = new ArrayList<>();
            while (rows.next()) {
                strings.add(rows.getString(1));
            }
            return strings;
        }
    }
}
