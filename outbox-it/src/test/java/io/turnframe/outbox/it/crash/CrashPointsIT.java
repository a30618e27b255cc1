package io.turnframe.outbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
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
import java.util.stream.Collectors;
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
@Tag("crash")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashPointsIT {
    private static final String PLAIN = "plain";
    private static final String DEDUPLICATING = "deduplicating";

    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(6);
    private static final Duration CLAIM_TIMEOUT = SEND_TIMEOUT.multipliedBy(2);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Set<String> AT_REST = Set.of("completed", "failed", "outcome_unknown");

    private final CrashTable table = new CrashTable();

    /** How many requests each key may have caused. */
    private final Map<String, Integer> expected = new HashMap<>();

    private Remote remote;
    private CrashServer server;
    private CrashDatabase database;
    private Path rules;
    private int crashes;

    /** One row and what became of it. */
    private record Row(String destination, String key, UUID id) {}

    @BeforeAll
    void start() throws IOException, InterruptedException, URISyntaxException {
        remote = new Remote();
        List<String> options =
                new ArrayList<>(List.of(System.getProperty("it.node.options").split(" ")));
        options.addAll(List.of(
                "-Doutbox.dispatch.enabled=true",
                "-Doutbox.dispatch.tick=500ms",
                "-Doutbox.dispatch.send-timeout=" + SEND_TIMEOUT,
                "-Doutbox.dispatch.claim-timeout=" + CLAIM_TIMEOUT,
                "-Doutbox.admin.enqueue=true",
                "-Doutbox.destinations=" + PLAIN + "," + DEDUPLICATING,
                "-Doutbox.destination." + PLAIN + ".url=" + remote.url(),
                "-Doutbox.destination." + DEDUPLICATING + ".url=" + remote.url(),
                "-Doutbox.destination." + DEDUPLICATING + ".deduplicates=true"));
        server = new CrashServer(options);
        database = new CrashDatabase(server.base());
        // The executions that a crash leaves behind are to be there after it.
        server.configure(resource("job-repository.cli"));
        rules = resource("points.btm");
        server.start(rules);
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        table.write();
        server.end();
        remote.close();
    }

    @ParameterizedTest
    @EnumSource
    void leavesWhatIsDocumentedAndSendsNothingTwice(CrashPoint point)
            throws IOException, InterruptedException, SQLException {
        List<Row> rows = enqueue(point);
        server.awaitDeath();
        remote.answerAll();
        crashes++;
        List<String> left = new ArrayList<>();
        for (Row row : rows) {
            left.add(database.row(row.id()));
        }
        assertThat(database.startedExecutions())
                .as("executions that the job repository says are started after %d crashes", crashes)
                .isGreaterThanOrEqualTo(crashes);

        Instant died = Instant.now();
        server.start(rules);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            String status = awaitRest(row);
            System.out.println(row.key() + ": " + left.get(i) + " became " + status + " "
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
    private List<Row> enqueue(CrashPoint point) throws IOException, InterruptedException {
        for (Duration delay = Duration.ofSeconds(2); ; delay = delay.multipliedBy(2)) {
            Instant due = Instant.now().plus(delay);
            List<Row> rows = new ArrayList<>();
            for (String destination : List.of(PLAIN, DEDUPLICATING)) {
                String key = point + "-" + destination + "-" + delay.toSeconds();
                rows.add(new Row(destination, key, server.enqueue(destination, key, due)));
            }
            if (Instant.now().isBefore(due.minus(delay.dividedBy(2)))) {
                arm(point, rows);
                return rows;
            }
            // Too slow: these may go their way one by one, and unharmed.
            for (Row row : rows) {
                awaitRest(row);
            }
        }
    }

    private void arm(CrashPoint point, List<Row> rows) throws IOException {
        if (point == CrashPoint.AFTER_REQUEST) {
            remote.killOver(rows.stream().map(Row::key).collect(Collectors.toSet()), server::kill);
        } else {
            server.arm(point);
        }
    }

    private String awaitRest(Row row) {
        return await(row.key() + " comes to rest")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> server.status(row.id()), AT_REST::contains);
    }

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(CrashPointsIT.class.getResource("/crash/" + name).toURI());
    }
}
