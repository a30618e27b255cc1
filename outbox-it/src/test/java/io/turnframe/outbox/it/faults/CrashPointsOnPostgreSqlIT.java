package io.turnframe.outbox.it.faults;

import io.turnframe.outbox.it.harness.ServerProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class CrashPointsOnPostgreSqlIT extends CrashPointsContract {
    CrashPointsOnPostgreSqlIT() {
        super("postgresql");
    }

    @Override
    ServerProcess server(List<String> options) {
        return ServerProcess.onPostgreSql("crash", "crash", 20, options);
    }

    @Override
    Connection database(ServerProcess server) throws SQLException {
        return ServerProcess.postgreSql("crash");
    }
}
