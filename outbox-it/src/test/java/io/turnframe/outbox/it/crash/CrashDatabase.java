package io.turnframe.outbox.it.crash;

import io.turnframe.outbox.it.harness.TestServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The server's database, looked at while the server is down: a file of H2 has one user at a time.
 *
 * @param serverBase where that file is
 */
record CrashDatabase(Path serverBase) {
    /** The status of an entry, and whether its send is marked as started. */
    String row(UUID outboxId) throws SQLException {
        try (Connection connection = open();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT status, send_started_at FROM tf_outbox WHERE outbox_id = ?")) {
            select.setObject(1, outboxId);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getString(1) + (row.getObject(2) == null ? "" : ", marked");
            }
        }
    }

    /** How many executions are under way, by the server's job repository. */
    int startedExecutions() throws SQLException {
        try (Connection connection = open();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT COUNT(*) FROM job_execution WHERE batchstatus = 'STARTED'");
                ResultSet count = select.executeQuery()) {
            count.next();
            return count.getInt(1);
        }
    }

    private Connection open() throws SQLException {
        return System.getProperty("it.database").equals("h2")
                ? DriverManager.getConnection("jdbc:h2:file:" + serverBase.resolve("data/outbox"), "sa", "sa")
                : TestServer.node().database();
    }
}
