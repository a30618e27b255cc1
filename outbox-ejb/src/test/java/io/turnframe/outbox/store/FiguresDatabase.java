package io.turnframe.outbox.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A PostgreSQL of its own for measuring: durable, unlike the one of the tests, with the schema in it, and a second pool
 * whose statements leave their plans in the server's log.
 */
final class FiguresDatabase implements AutoCloseable {
    /** SQL to run after the scripts: to try an index, or a setting, before it becomes a script. */
    private static final String EXTRA_SQL = System.getProperty("figures.sql", "");

    private static final int CONNECTIONS = 12;

    private static final String FILL = "INSERT INTO tf_outbox (outbox_id, command_id, destination, payload,"
            + " idempotency_key, status, attempt_count, created_at, next_attempt_at, completed_at)"
            + " SELECT uuidv7(created - now()), gen_random_uuid(), 'destination-' || i %% 5,"
            + " '{\"booking\":\"' || repeat('x', 200) || '\"}', '%1$s' || i, %2$s"
            + " FROM (SELECT i, now() - interval '%3$s' + i * interval '%4$s' AS created"
            + " FROM generate_series(1, %5$d) i) rows";

    private final EmbeddedPostgres server;
    private final File log;
    private final HikariDataSource plain;
    private final HikariDataSource explaining;

    /** @param settings beside ours, in pairs of name and value */
    FiguresDatabase(String... settings) throws IOException, SQLException {
        File work = Path.of("target", "figures").toFile().getAbsoluteFile();
        TestDatabase.deleteAll(work.toPath().resolve("data"));
        log = new File(work, "data/log/server.log");
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(new File(work, "binaries"))
                .setDataDirectory(new File(work, "data"))
                .setCleanDataDirectory(true)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("logging_collector", "on")
                .setServerConfig("log_filename", log.getName())
                .setServerConfig("session_preload_libraries", "auto_explain");
        for (int i = 0; i < settings.length; i += 2) {
            builder.setServerConfig(settings[i], settings[i + 1]);
        }
        server = builder.start();
        plain = pool("SELECT 1");
        explaining = pool("SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;"
                + " SET auto_explain.log_buffers = on");
        new Schema(plain, Database.POSTGRESQL).migrate();
        if (!EXTRA_SQL.isEmpty()) {
            execute(EXTRA_SQL);
        }
    }

    private HikariDataSource pool(String init) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.getPostgresDatabase());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        config.setConnectionInitSql(init);
        return new HikariDataSource(config);
    }

    DataSource plain() {
        return plain;
    }

    /** Its statements are slower: every node of every plan is timed. */
    DataSource explaining() {
        return explaining;
    }

    void execute(String sql) throws SQLException {
        TestPostgreSql.execute(plain, sql);
    }

    /** Of the last hundred days. */
    void fillCompleted(int rows) throws SQLException {
        String columns = "'completed', 1, created, NULL::timestamptz, created + interval '1 s'";
        execute(FILL.formatted("c", columns, "100 days", "8 s", rows));
    }

    /** Enqueued days ago, to come due from tomorrow on. */
    void fillDelayed(int rows) throws SQLException {
        String columns = "'pending', 0, created, now() + interval '1 day' + i * interval '10 ms', NULL::timestamptz";
        execute(FILL.formatted("d", columns, "10 days", "0.5 s", rows));
    }

    /** Enqueued days ago, and ready; of one destination. */
    void fillHeld(int rows) throws SQLException {
        String columns = "'pending', 0, created, NULL::timestamptz, NULL::timestamptz";
        execute(FILL.replace("'destination-' || i %% 5", "'held'").formatted("h", columns, "10 days", "0.5 s", rows));
    }

    /** Enqueued within the last hour, so far apart. */
    void fillReady(int rows, String step) throws SQLException {
        execute(FILL.formatted(
                "r", "'pending', 0, created, NULL::timestamptz, NULL::timestamptz", "1 hour", step, rows));
    }

    /** The first row, column by column. */
    List<Object> row(String select) throws SQLException {
        try (Connection connection = plain.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            row.next();
            List<Object> columns = new ArrayList<>();
            for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                columns.add(row.getObject(column));
            }
            return columns;
        }
    }

    /** How many bytes were written to the write-ahead log. */
    long logPosition() throws SQLException {
        return ((Number) row("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").get(0)).longValue();
    }

    /** What the sessions of this pool have used. */
    Duration processorTime() throws SQLException {
        String pids = (String) row("SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE usename = 'postgres'"
                        + " AND backend_type = 'client backend'")
                .get(0);
        return Arrays.stream(pids.split(","))
                .map(pid -> ProcessHandle.of(Long.parseLong(pid))
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** The plans of the statements that {@code work} sends over {@link #explaining}, those of the schema's tables. */
    List<String> plans(Callable<?> work) throws Exception {
        int before = log().length();
        work.call();
        // The log is written by a process of its own: what stands before our mark is there when the mark is.
        String mark = "figures " + UUID.randomUUID();
        execute("DO $$ BEGIN RAISE LOG '" + mark + "'; END $$");
        String after = log();
        for (int tries = 0; !after.contains(mark) && tries < 100; tries++) {
            TimeUnit.MILLISECONDS.sleep(100);
            after = log();
        }
        return Arrays.stream(after.substring(before).split("(?m)^(?=\\d{4}-\\d\\d-\\d\\d )"))
                .filter(entry -> entry.contains("plan:") && entry.contains("tf_outbox"))
                .map(FiguresDatabase::readable)
                .toList();
    }

    private String log() throws IOException {
        return Files.readString(log.toPath());
    }

    /** Without the list of columns and the list of ids, which are long. */
    private static String readable(String entry) {
        return entry.replaceAll("(?s)^.*?duration:", "duration:")
                .replaceAll("(?s)SELECT .{200,}? FROM tf_outbox", "SELECT … FROM tf_outbox")
                .replaceAll("\\(\\$\\d+(, ?\\$\\d+){3,}\\)", "($1, …)")
                .replaceAll("\\('\\{[^}]{80,}?\\}'", "('{…}'")
                .replaceAll("\\{([0-9a-f-]{36}),[^}]*\\}", "{$1,…}")
                .strip();
    }

    @Override
    public void close() throws IOException {
        plain.close();
        explaining.close();
        server.close();
    }
}
