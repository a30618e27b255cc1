package io.turnframe.outbox.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL, started once for all tests of the module, ended with this JVM. */
final class TestPostgreSql {
    private static EmbeddedPostgres server;

    private TestPostgreSql() {}

    /** The database of tests that share it. */
    static DataSource shared() throws SQLException {
        return server().getPostgresDatabase();
    }

    /** A database that nothing is in, for its superuser; until the next test asks for one. */
    static DataSource empty() throws SQLException {
        DataSource scratch = server().getDatabase("postgres", "scratch");
        execute(scratch, """
                SET lock_timeout = '10s';
                DROP SCHEMA IF EXISTS public, outbox CASCADE;
                CREATE SCHEMA public;
                GRANT USAGE ON SCHEMA public TO PUBLIC""");
        return scratch;
    }

    /** The same database for another user. */
    static DataSource as(String user, String password, DataSource database) {
        var source = new PGSimpleDataSource();
        source.setURL(((PGSimpleDataSource) database).getURL());
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static synchronized EmbeddedPostgres server() throws SQLException {
        if (server == null) {
            File work = Path.of("target", "postgresql").toFile();
            try {
                // A build that was killed leaves it half deleted.
                TestDatabase.deleteAll(work.toPath().resolve("data"));
                server = EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(new File(work, "binaries"))
                        .setDataDirectory(new File(work, "data"))
                        .setCleanDataDirectory(true)
                        .start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            execute(server.getPostgresDatabase(), "CREATE DATABASE scratch");
        }
        return server;
    }
}
