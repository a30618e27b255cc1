package io.turnframe.outbox.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL, started once for all tests of the module, ended with this JVM. */
final class TestPostgreSql {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static EmbeddedPostgres server;

    private TestPostgreSql() {}

    /** A new database that nothing is in, for its superuser. */
    static DataSource emptyDatabase() throws SQLException {
        String name = "db" + DATABASES.incrementAndGet();
        execute(server().getPostgresDatabase(), "CREATE DATABASE " + name);
        return server().getDatabase("postgres", name);
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

    private static synchronized EmbeddedPostgres server() {
        if (server == null) {
            File work = Path.of("target", "postgresql").toFile();
            try {
                // It does not start over what a killed build left.
                TestDatabase.deleteAll(work.toPath().resolve("data"));
                server = EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(new File(work, "binaries"))
                        .setDataDirectory(new File(work, "data"))
                        .setCleanDataDirectory(true)
                        .start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        return server;
    }
}
