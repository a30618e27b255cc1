package io.turnframe.outbox.it.crash;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server's database, looked at while the server is down: a file of H2 has one user at a time. */
record CrashDatabase(String url, String user, String password) {
    private static final Pattern PORT = Pattern.compile("-Doutbox\\.postgresql\\.port=(\\d+)");

    static CrashDatabase of(Path serverBase) {
        String name = System.getProperty("it.database");
        return switch (name) {
            case "h2" -> new CrashDatabase("jdbc:h2:file:" + serverBase.resolve("data/outbox"), "sa", "sa");
            case "postgresql" -> {
                Matcher port = PORT.matcher(System.getProperty("it.server.options"));
                if (!port.find()) {
                    throw new IllegalStateException("it.server.options does not name the port of PostgreSQL");
                }
                yield new CrashDatabase("jdbc:postgresql://localhost:" + port.group(1) + "/outbox", "outbox", "outbox");
            }
            default -> throw new IllegalArgumentException("it.database is " + name + " but must be h2 or postgresql");
        };
    }

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
        return DriverManager.getConnection(url, user, password);
    }
}
