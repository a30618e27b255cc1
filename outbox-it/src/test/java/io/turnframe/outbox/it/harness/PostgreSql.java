package io.turnframe.outbox.it.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** A real PostgreSQL on a free port, from Maven artifacts, with its files under the build's directory. */
final class PostgreSql implements TestDatabase {
    /** The owner of all databases: no superuser. */
    private static final String OWNER = "outbox";

    /** For the servers of {@code arquillian.xml}, for a business application, and for servers that tests kill. */
    private static final List<String> DATABASES =
            List.of("outbox", "node", "business", "crash", "sweep", "three", "kills", "trouble", "redeploy", "jms");

    private final EmbeddedPostgres server;
    private final String version;

    private PostgreSql(EmbeddedPostgres server, String version) {
        this.server = server;
        this.version = version;
    }

    static PostgreSql start() {
        File work = TestDatabase.directory("postgresql").toFile();
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(new File(work, "binaries"))
                    .setDataDirectory(new File(work, "data"))
                    // XA prepares transactions; PostgreSQL allows none by default.
                    .setServerConfig("max_prepared_transactions", "50")
                    .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
            return new PostgreSql(server, createDatabases(server));
        } catch (IOException failed) {
            throw new UncheckedIOException("PostgreSQL did not start under " + work, failed);
        } catch (SQLException failed) {
            throw new IllegalStateException("PostgreSQL started, but its databases could not be created", failed);
        }
    }

    /** Answers the version. */
    private static String createDatabases(EmbeddedPostgres server) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + OWNER + " LOGIN PASSWORD '" + OWNER + "'");
            for (String database : DATABASES) {
                statement.execute("CREATE DATABASE " + database + " OWNER " + OWNER);
            }
            countStatements(server);
            try (ResultSet version = statement.executeQuery("SHOW server_version")) {
                version.next();
                return version.getString(1);
            }
        }
    }

    private static void countStatements(EmbeddedPostgres server) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", "outbox").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE EXTENSION pg_stat_statements");
        }
    }

    @Override
    public String url() {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/%s?user=" + OWNER + "&password=" + OWNER;
    }

    @Override
    public List<String> serverOptions() {
        return List.of("-Doutbox.postgresql.port=" + server.getPort());
    }

    @Override
    public String description() {
        return "PostgreSQL " + version + " on port " + server.getPort();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
