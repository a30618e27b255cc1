package io.turnframe.outbox.it.faults;

import io.turnframe.outbox.it.harness.ServerProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

class CrashPointsOnH2IT extends CrashPointsContract {
    CrashPointsOnH2IT() {
        super("h2");
    }

    @Override
    ServerProcess server(List<String> options) {
        return ServerProcess.onH2("crash", 0, options);
    }

    /** A file of H2 has one user at a time: the server must be down. */
    @Override
    Connection database(ServerProcess server) throws SQLException {
        return DriverManager.getConnection("jdbc:h2:file:" + server.base().resolve("data/outbox"), "sa", "sa");
    }
}
