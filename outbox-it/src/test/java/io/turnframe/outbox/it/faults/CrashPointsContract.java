package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.harness.ServerProcess;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two rows, one for a destination that deduplicates and one for one that does not, are claimed together; the server dies at
 * a point of their way and is started again. Each start serves the crash after it, too.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CrashPointsContract {
    private static final String PLAIN = "plain";
    private static final String DEDUPLICATING = "deduplicating";

    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(6);
    private static final Duration CLAIM_TIMEOUT = SEND_TIMEOUT.multipliedBy(2);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Set<String> AT_REST = Set.of("completed", "failed", "outcome_unknown");

    private final CrashTable table;

    /** How many requests each key may have caused. */
    private final Map<String, Integer> expected = new HashMap<>();

    private final Remote remote = new Remote(0);
    private ServerProcess server;
    private Path armed;
    private int crashes;

    /** @param database its name, for what is written and printed */
    CrashPointsContract(String database) {
        table = new CrashTable(database);
    }

    abstract ServerProcess server(List<String> options);

    /** A look at the database of the server while it is down. */
    abstract Connection database(ServerProcess server) throws SQLException;

    /** One row and what became of it. */
    private record Row(String destination, String key, UUID id) {}

    @BeforeAll
    void start() throws IOException {
        server = server(List.of(
                "-Doutbox.dispatch.enabled=true",
                "-Doutbox.dispatch.tick=500ms",
                "-Doutbox.dispatch.send-timeout=" + SEND_TIMEOUT,
                "-Doutbox.dispatch.claim-timeout=" + CLAIM_TIMEOUT,
                "-Doutbox.admin.enqueue=true",
                "-Doutbox.destinations=" + PLAIN + "," + DEDUPLICATING,
                "-Doutbox.destination." + PLAIN + ".url=" + remote.url(),
                "-Doutbox.destination." + DEDUPLICATING + ".url=" + remote.url(),
                "-Doutbox.destination." + DEDUPLICATING + ".deduplicates=true"));
        armed = Files.createDirectories(server.base().resolve("armed"));
        // The executions that a crash leaves behind are to be there after it.
        server.configure(resource("job-repository.cli"));
        startServer();
    }

    @AfterAll
    void end() throws IOException {
        table.write();
        server.end();
        remote.close();
    }

    private void startServer() {
        for (CrashPoint point : CrashPoint.values()) {
            point.disarm(armed);
        }
        server.startWith(resource("points.btm"), "-Doutbox.crash.armed=" + armed);
    }

    @ParameterizedTest
    @EnumSource
    void leavesWhatIsDocumentedAndSendsNothingTwice(CrashPoint point) throws IOException, SQLException {
        List<Row> rows = enqueue(point);
        server.awaitEnd();
        remote.dropWaiting();
        remote.behave(key -> Remote.Answer.CONFIRM);
        crashes++;
        List<String> left = new ArrayList<>();
        try (Connection database = database(server)) {
            for (Row row : rows) {
                left.add(row(database, row.id()));
            }
            assertThat(startedExecutions(database))
                    .as("executions that the job repository says are started after %d crashes", crashes)
                    .isGreaterThanOrEqualTo(crashes);
        }

        Instant died = Instant.now();
        startServer();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            String status = awaitRest(row);
            System.out.println(table.database() + ", " + row.key() + ": " + left.get(i) + " became " + status + " "
                    + Duration.between(died, Instant.now()).toMillis() + " ms after the crash");
            List<String> bodies = remote.bodies(row.key());
            assertThat(new HashSet<>(bodies)).hasSizeLessThanOrEqualTo(1);
            expected.put(row.key(), bodies.size());
            lines.add(table.add(point, row.destination().equals(DEDUPLICATING), left.get(i), status, bodies.size()));
        }
        assertThat(remote.bodies(rows.get(0).key()))
                .as("requests without deduplication")
                .hasSizeLessThanOrEqualTo(1);
        expected.forEach(
                (key, requests) -> assertThat(remote.bodies(key)).as(key).hasSize(requests));
        assertThat(CrashTable.committed()).containsAll(lines);
    }

    @Test
    void theDocumentHasEveryPointTwiceAndNothingElse() throws IOException {
        assertThat(CrashTable.committed()).hasSize(2 * CrashPoint.values().length);
        for (CrashPoint point : CrashPoint.values()) {
            assertThat(CrashTable.committed())
                    .filteredOn(line -> line.startsWith("| " + point.text() + " |"))
                    .hasSize(2);
        }
    }

    /** They come due at one instant, so that they are claimed together; and only once the crash is armed. */
    private List<Row> enqueue(CrashPoint point) {
        for (Duration delay = Duration.ofSeconds(2); ; delay = delay.multipliedBy(2)) {
            Instant due = Instant.now().plus(delay);
            List<Row> rows = new ArrayList<>();
            for (String destination : List.of(PLAIN, DEDUPLICATING)) {
                String key = point + "-" + destination + "-" + delay.toSeconds();
                rows.add(new Row(destination, key, enqueue(destination, key, due)));
            }
            if (Instant.now().isBefore(due.minus(delay.dividedBy(2)))) {
                arm(point, rows);
                return rows;
            }
            // Too slow: these may go their way one by one, and unharmed.
            rows.forEach(this::awaitRest);
        }
    }

    private UUID enqueue(String destination, String key, Instant due) {
        String entry = Json.createObjectBuilder()
                .add("destination", destination)
                .add("idempotency_key", key)
                .add("payload", Json.createObjectBuilder().add("key", key))
                .add("next_attempt_at", due.toString())
                .build()
                .toString();
        return UUID.fromString(entryOf(server.post("/entries", entry)).getString("outbox_id"));
    }

    private static JsonObject entryOf(String answer) {
        return Json.createReader(new StringReader(answer)).readObject().getJsonObject("entry");
    }

    private void arm(CrashPoint point, List<Row> rows) {
        if (point == CrashPoint.AFTER_REQUEST) {
            Set<String> missing = new HashSet<>(rows.stream().map(Row::key).toList());
            remote.behave(key -> {
                if (missing.remove(key) && missing.isEmpty()) {
                    CompletableFuture.runAsync(server::kill);
                }
                return Remote.Answer.NONE;
            });
        } else {
            point.arm(armed);
        }
    }

    private String awaitRest(Row row) {
        return await(row.key() + " comes to rest")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> entryOf(server.get("/entries/" + row.id())).getString("status"), AT_REST::contains);
    }

    /** The status of an entry, and whether its send is marked as started. */
    private static String row(Connection database, UUID outboxId) throws SQLException {
        try (PreparedStatement select =
                database.prepareStatement("SELECT status, send_started_at FROM tf_outbox WHERE outbox_id = ?")) {
            select.setObject(1, outboxId);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getString(1) + (row.getObject(2) == null ? "" : ", marked");
            }
        }
    }

    /** How many executions are under way, by the server's job repository. */
    private static int startedExecutions(Connection database) throws SQLException {
        try (PreparedStatement select =
                        database.prepareStatement("SELECT COUNT(*) FROM job_execution WHERE batchstatus = 'STARTED'");
                ResultSet count = select.executeQuery()) {
            count.next();
            return count.getInt(1);
        }
    }

    static Path resource(String name) {
        try {
            return Path.of(
                    CrashPointsContract.class.getResource("/faults/" + name).toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
