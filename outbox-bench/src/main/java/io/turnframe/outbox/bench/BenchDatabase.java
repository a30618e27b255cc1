package io.turnframe.outbox.bench;

import io.turnframe.outbox.bench.server.Payload;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A durable PostgreSQL from Maven artifacts, with the table of the peer; the outbox makes its own. */
final class BenchDatabase implements AutoCloseable {
    /** What matters for speed, and is printed. */
    private static final List<String> SHOWN = List.of(
            "server_version",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_level",
            "wal_sync_method",
            "shared_buffers",
            "max_wal_size",
            "max_connections",
            "max_prepared_transactions");

    private static final String PEER_TABLE = """
            CREATE TABLE scheduled_tasks (
                task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
                execution_time timestamptz NOT NULL, picked boolean NOT NULL, picked_by text,
                last_success timestamptz, last_failure timestamptz, consecutive_failures int,
                last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,
                PRIMARY KEY (task_name, task_instance));
            CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
            CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
            CREATE INDEX priority_execution_time_idx ON scheduled_tasks (priority DESC, execution_time ASC)""";

    private static final String FILL = """
            INSERT INTO tf_outbox (outbox_id, command_id, destination, payload, idempotency_key, status, attempt_count,
                created_at, next_attempt_at)
            SELECT uuidv7(i * interval '10 us' - interval '%1$s'), gen_random_uuid(), %2$s, '%3$s', '%1$s ' || i,
                   'pending', 0, now() - interval '%1$s' + i * interval '10 us', %4$s
            FROM generate_series(1, %5$d) i""";

    private static final String FILL_PEER = """
            INSERT INTO scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version)
            SELECT 'send', 'k' || i, convert_to('%s', 'UTF8'), now() - interval '1 hour' + i * interval '10 us', false, 1
            FROM generate_series(1, %d) i""";

    private final EmbeddedPostgres server;
    private final File log;
    private final Connection connection;

    BenchDatabase(Path work) throws IOException, SQLException {
        Path home = work.resolve("postgresql");
        log = home.resolve("data/log/server.log").toFile();
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(home.resolve("binaries").toFile())
                .setDataDirectory(home.resolve("data").toFile())
                .setCleanDataDirectory(true)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("max_prepared_transactions", "50")
                .setServerConfig("logging_collector", "on")
                .setServerConfig("log_filename", log.getName())
                .setServerConfig("shared_preload_libraries", "pg_stat_statements,auto_explain")
                .setPGStartupWait(Duration.ofMinutes(1))
                .start();
        try (Connection postgres = server.getPostgresDatabase().getConnection();
                Statement statement = postgres.createStatement()) {
            statement.execute("CREATE ROLE outbox LOGIN PASSWORD 'outbox'");
            statement.execute("CREATE DATABASE outbox OWNER outbox");
        }
        connection = server.getDatabase("postgres", "outbox").getConnection();
        execute("CREATE EXTENSION pg_stat_statements", "SET ROLE outbox; " + PEER_TABLE + "; RESET ROLE");
    }

    int port() {
        return server.getPort();
    }

    Map<String, String> settings() throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String name : SHOWN) {
            settings.put(name, text("SHOW " + name));
        }
        return settings;
    }

    /** Removes all rows of both contenders. */
    void empty() throws SQLException {
        execute("TRUNCATE tf_outbox, scheduled_tasks CASCADE", "CHECKPOINT");
    }

    /** Due rows. */
    void fillDue(String destination, int rows) throws SQLException {
        fill("1 hour", "'" + destination + "'", "NULL", rows);
    }

    /** Due rows of the destinations {@code more-1} to {@code more-<destinations>} in turn. */
    void fillDueOfMany(int destinations, int rows) throws SQLException {
        fill("1 hour", "'more-' || (1 + i %% %d)".formatted(destinations), "NULL", rows);
    }

    /** Older rows that are due. */
    void fillOlder(String destination, int rows) throws SQLException {
        fill("2 hours", "'" + destination + "'", "NULL", rows);
    }

    /** Older rows that are not yet due. */
    void fillDelayed(String destination, int rows) throws SQLException {
        fill("2 hours", "'" + destination + "'", "now() + interval '1 day'", rows);
    }

    /** Older rows whose retry has just come due. */
    void fillRetries(String destination, int rows) throws SQLException {
        fill("2 hours", "'" + destination + "'", "now()", rows);
    }

    /** Older rows that are completed. */
    void fillCompleted(String destination, int rows) throws SQLException {
        fillOlder(destination, rows);
        execute("UPDATE tf_outbox SET status = 'completed', attempt_count = 1, completed_at = created_at");
    }

    /** @param age of the first */
    private void fill(String age, String destination, String nextAttemptAt, int rows) throws SQLException {
        execute(FILL.formatted(age, destination, Payload.TEXT, nextAttemptAt, rows));
    }

    void fillPeer(int rows) throws SQLException {
        execute(FILL_PEER.formatted(Payload.TEXT, rows));
    }

    /** Gives the planner its figures, and leaves no checkpoint to come. */
    void settle() throws SQLException {
        execute("VACUUM ANALYZE tf_outbox", "VACUUM ANALYZE scheduled_tasks", "CHECKPOINT");
    }

    void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    String text(String select) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            row.next();
            return row.getString(1);
        }
    }

    double number(String select) throws SQLException {
        return Double.parseDouble(text(select));
    }

    void forgetStatements() throws SQLException {
        execute("SELECT pg_stat_statements_reset()");
    }

    /** Has the statements that follow leave their plans in the log, or no longer. */
    void explain(boolean on) throws SQLException {
        execute(
                "ALTER SYSTEM SET auto_explain.log_min_duration = " + (on ? 0 : -1),
                "ALTER SYSTEM SET auto_explain.log_analyze = " + (on ? "on" : "off"),
                "ALTER SYSTEM SET auto_explain.log_buffers = " + (on ? "on" : "off"),
                "SELECT pg_reload_conf()");
    }

    String log() throws IOException {
        return Files.readString(log.toPath());
    }

    @Override
    public void close() throws IOException, SQLException {
        connection.close();
        server.close();
    }
}
