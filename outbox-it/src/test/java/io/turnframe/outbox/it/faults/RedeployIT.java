package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.f4b6a3.uuid.UuidCreator;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.it.faults.Table.Row;
import io.turnframe.outbox.it.harness.ServerProcess;
import java.io.File;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sender is an EJB of another deployment, which comes, goes and changes while rows are sent. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedeployIT {
    private static final String PACKAGE = "io.turnframe.outbox.it.carrier.";
    private static final String DESTINATION = "carrier";
    private static final int PORTION = 100;

    private final Remote remote = new Remote(30);
    private ServerProcess server;
    private Table table;

    @BeforeAll
    void start() throws SQLException {
        server = ServerProcess.onPostgreSql(
                "redeploy",
                "redeploy",
                160,
                List.of(
                        "-Dit.carrier.url=" + remote.url(),
                        "-Doutbox.dispatch.enabled=true",
                        "-Doutbox.dispatch.tick=200ms",
                        "-Doutbox.destinations=" + DESTINATION,
                        "-Doutbox.destination.carrier.sender="
                                + "java:global/carrier/Carrier!io.turnframe.outbox.OutboxSender"));
        server.start();
        table = new Table("redeploy");
    }

    @AfterAll
    void end() throws SQLException {
        server.end();
        table.close();
        remote.close();
    }

    @Test
    void losesNoRowAndSendsNoneTwiceWhateverBecomesOfTheSender() throws SQLException {
        table.insert(DESTINATION, "early-", 50);
        eventually("the sender is missed").until(() -> logged("destination carrier is unroutable"));
        eventually("the rows wait").until(() -> table.count("early-", "pending") == 50);

        deploy("FirstCarrierSender", "Carrier");
        eventually("it is found").until(() -> table.count("early-", "completed") == 50);

        amidRows("replaced-", () -> deploy("SecondCarrierSender", "Carrier"));
        eventually("the next one sends").until(() -> sentBy("", "second") > 0);
        amidRows("taken-away-", () -> server.cli("undeploy carrier.war"));
        eventually("what is not sent waits").until(() -> table.count("", "dispatching") == 0);
        assertThat(table.count("", "pending")).isPositive();
        deploy("FirstCarrierSender", "Carrier");

        eventually("all have come to rest").until(() -> table.count("", "pending", "dispatching") == 0);
        List<Row> rows = table.rows("");
        System.out.println("a sender that was replaced once and absent twice: " + rows.size() + " rows, "
                + table.count("", "completed") + " completed, " + table.count("", "outcome_unknown")
                + " unknown; sent by the first " + sentBy("", "first") + ", by the second " + sentBy("", "second"));
        assertThat(rows).allMatch(row -> row.is("completed"));
        for (Row row : rows) {
            assertThat(remote.bodies(row.key()))
                    .as("requests with " + row.key())
                    .hasSize(1);
        }
    }

    /** In full flight: there are rows to send until it is done. */
    private void amidRows(String prefix, Runnable act) {
        CompletableFuture<Void> acting = CompletableFuture.runAsync(act);
        AtomicInteger portions = new AtomicInteger();
        eventually("it is done").until(() -> {
            if (table.count(prefix, "pending") < PORTION) {
                table.insert(DESTINATION, prefix + portions.incrementAndGet() + "-", PORTION);
            }
            return acting.isDone();
        });
        acting.join();
    }

    private int sentBy(String prefix, String version) throws SQLException {
        return (int) table.rows(prefix).stream()
                .filter(row -> version.equals(row.remoteRef()))
                .count();
    }

    private boolean logged(String text) {
        return server.logged().stream().anyMatch(line -> line.contains(text));
    }

    /** Takes the place of the one that is there. */
    private void deploy(String... classes) {
        WebArchive war = ShrinkWrap.create(WebArchive.class, "carrier.war")
                .addAsLibraries(jarOf(OutboxSender.class), jarOf(UuidCreator.class));
        for (String each : classes) {
            war.addClass(PACKAGE + each);
        }
        Path file = server.base().resolve("carrier.war");
        war.as(ZipExporter.class).exportTo(file.toFile(), true);
        server.cli("deploy --force " + file);
    }

    private static File jarOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(50));
    }
}
