package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.faults.queue.MessagesServlet;
import io.turnframe.outbox.it.harness.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Rows become messages of the server's own broker, in one transaction each over two resources, while the server is killed
 * again and again. {@code -Dit.jms.rows=2000 -Dit.jms.kills=5} for more.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JmsIT {
    private static final int ROWS = Integer.getInteger("it.jms.rows", 600);
    private static final int KILLS = Integer.getInteger("it.jms.kills", 3);

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** How the server dies, in this order: at a point of {@code faults/joint.btm}, or by SIGKILL at any moment. */
    private enum Death {
        DECIDED,
        FIRST_PREPARED,
        ANY_MOMENT,
        FIRST_COMMITTED,
        ANY_MOMENT_AGAIN;

        private boolean isPoint() {
            return !name().startsWith("ANY_MOMENT");
        }
    }

    private ServerProcess server;
    private Path armed;
    private Table table;

    @BeforeAll
    void start() throws IOException, SQLException {
        server = ServerProcess.onPostgreSql(
                "jms",
                "jms",
                180,
                List.of(
                        "--server-config=standalone-full.xml",
                        "-Dcom.arjuna.ats.arjuna.recovery.periodicRecoveryPeriod=3",
                        "-Dcom.arjuna.ats.arjuna.recovery.recoveryBackoffPeriod=1",
                        "-Dcom.arjuna.ats.jta.orphanSafetyInterval=1000",
                        "-Doutbox.dispatch.enabled=true",
                        "-Doutbox.dispatch.tick=500ms",
                        "-Doutbox.dispatch.send-timeout=4s",
                        "-Doutbox.dispatch.claim-timeout=8s",
                        "-Doutbox.destinations=orders",
                        "-Doutbox.destination.orders.sender=jms",
                        "-Doutbox.destination.orders.queue=java:/jms/queue/OutboxTest",
                        "-Doutbox.destination.orders.group=command_id"));
        server.configure(dataSource());
        server.configure(CrashPointsContract.resource("jms.cli"));
        ShrinkWrap.create(WebArchive.class, "messages.war")
                .addClass(MessagesServlet.class)
                .as(ZipExporter.class)
                .exportTo(server.base().resolve("deployments/messages.war").toFile());
        armed = Files.createDirectories(server.base().resolve("armed"));
        startServer();
        table = new Table("jms");
    }

    /** The script for the data source that is shipped, for the other configuration. */
    private Path dataSource() throws IOException {
        String script = Files.readString(Path.of("../servers/wildfly/postgresql.cli"));
        return Files.writeString(
                server.base().resolve("postgresql-full.cli"), script.replace("standalone.xml", "standalone-full.xml"));
    }

    private void startServer() {
        server.startWith(CrashPointsContract.resource("joint.btm"), "-Doutbox.crash.armed=" + armed);
    }

    @AfterAll
    void end() throws SQLException {
        server.end();
        table.close();
    }

    @Test
    void sendsEachMessageOnceWhereverTheServerDies() throws Exception {
        table.insert("orders", "jms-", ROWS);
        for (int n = 1; n <= KILLS; n++) {
            int completed = ROWS * n / (KILLS + 1);
            eventually(completed + " are completed").until(() -> completed() >= completed);
            die(Death.values()[n - 1]);
            startServer();
        }
        eventually("all are completed").until(() -> completed() == ROWS);

        List<String> lines = server.fetch("/messages/").lines().toList();
        Set<String> keys = lines.stream().map(line -> line.split(" ")[0]).collect(Collectors.toSet());
        System.out.println(ROWS + " rows, " + KILLS + " kills: " + lines.size() + " messages, " + keys.size()
                + " different keys, " + completed() + " rows completed");
        assertThat(keys)
                .isEqualTo(
                        IntStream.rangeClosed(1, ROWS).mapToObj(n -> "jms-" + n).collect(Collectors.toSet()));
        assertThat(lines).hasSize(ROWS).allMatch(JmsIT::isWhole);
        assertThat(server.logged())
                .noneMatch(line -> line.contains("outbox.destination.orders.xa") || line.contains("node identifier 1"))
                .as("no second message had to be refused by the broker (AMQ222059)")
                .noneMatch(line -> line.contains("AMQ222059"));
    }

    private void die(Death death) throws IOException, SQLException {
        System.out.println("dies at " + death + " with " + completed() + " of " + ROWS + " completed");
        if (death.isPoint()) {
            Path point = Files.writeString(armed.resolve(death.name()), "");
            server.awaitEnd();
            Files.delete(point);
        } else {
            server.kill();
        }
    }

    /** Key, command, the command as its group, and the text that belongs to the key. */
    private static boolean isWhole(String line) {
        String[] parts = line.split(" ", 4);
        return parts[1].equals(parts[2]) && parts[3].startsWith("{\"key\": \"" + parts[0] + "\"");
    }

    private int completed() throws SQLException {
        return table.rows("jms-", "completed").size();
    }

    private static ConditionFactory eventually(String what) {
        return await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(50));
    }
}
