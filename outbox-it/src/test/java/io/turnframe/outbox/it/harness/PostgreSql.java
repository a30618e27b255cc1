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
    private static final String NAME = "outbox";

    private final EmbeddedPostgres server;
    private final String version;

    private PostgreSql(EmbeddedPostgres server, String version) {
        this.server = server;
        this.version = version;
    }

    static PostgreSql start() {
        File work = new File(System.getProperty("it.work"), "postgresql");
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(new File(work, "binaries"))
                    .setDataDirectory(new File(work, "data"))
                    .setCleanDataDirectory(true)
                    // XA prepares transactions; PostgreSQL allows none by default.
                    .setServerConfig("max_prepared_transactions", "50")
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
            return new PostgreSql(server, createDatabase(server));
        } catch (IOException failed) {
            throw new UncheckedIOException("PostgreSQL did not start under " + work, failed);
        } catch (SQLException failed) {
            throw new IllegalStateException("PostgreSQL started, but the database could not be created", failed);
        }
    }

    /** The database and its owner, no superuser; answers the version. */
    private static String createDatabase(EmbeddedPostgres server) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + NAME + " LOGIN PASSWORD '" + NAME + "'");
            statement.execute("CREATE DATABASE " + NAME + " OWNER " + NAME);
            try (ResultSet version = statement.executeQuery("SHOW server_version")) {
                version.next();
                return version.getString(1);
            }
        }
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
