package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.obeying.ObeyingSender;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executions as operators start, watch and stop them. Nothing is sent that they did not start. */
@Tag("dispatcher")
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Configured({
    "outbox.admin.enqueue=true",
    // Longer than any run here: what is retried is sent by a later one.
    "outbox.dispatch.initial-backoff=15s",
    "outbox.destination.airline.sender=java:global/application/ObeyingSender!io.turnframe.outbox.OutboxSender"
})
class JobsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestServer server = TestServer.server();
    private final Desk desk = new Desk(server);

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = "application", order = 2, testable = false)
    static WebArchive application() {
        return Archives.application().addPackage(ObeyingSender.class.getPackage());
    }

    @Test
    void settlesFifteenByTheirOwnAnswersWhenTheThirdThrowsAndTheConsoleShowsIt() {
        List<String> asked = new ArrayList<>(Collections.nCopies(16, "accept"));
        asked.set(2, "throw");
        asked.set(5, "busy once");
        asked.set(8, "refuse");
        asked.set(11, "unknown");
        List<String> ids = asked.stream().map(this::enqueue).toList();

        JsonObject ended = ended(dispatch(""));
        String counts = "completed=12 retried=1 failed=1 unknown=2 unsettled=0";
        assertThat(ended.getString("status")).isEqualTo("COMPLETED");
        assertThat(ended.getString("exit_status")).isEqualTo(counts);
        assertThat(ended.getJsonObject("report").getInt("completed")).isEqualTo(12);
        assertThat(server.shows(ended.getInt("execution_id"))).contains("COMPLETED", counts);

        for (int i = 0; i < asked.size(); i++) {
            String expected = switch (asked.get(i)) {
                case "throw", "unknown" -> "outcome_unknown";
                case "busy once" -> "pending";
                case "refuse" -> "failed";
                default -> "completed";
            };
            assertThat(status(ids.get(i)))
                    .as("entry %d, asked to %s", i, asked.get(i))
                    .isEqualTo(expected);
        }
        sendTheRest(ids.get(5));
    }

    @Test
    void sharesTheWorkOfOneExecutionBetweenPartitions() {
        List<String> ids =
                Collections.nCopies(100, "accept").stream().map(this::enqueue).toList();
        JsonObject ended = ended(dispatch("{\"partitions\":4,\"batch_size\":4}"));
        assertThat(ended.getString("status")).isEqualTo("COMPLETED");
        assertThat(ended.getString("exit_status")).isEqualTo("completed=100 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(ids).allMatch(id -> status(id).equals("completed"));
        assertThat(desk.operator("POST", "/dispatch", "{\"partitions\":9}", 400).getString("detail"))
                .isEqualTo("partitions is 9 but must lie between 1 and 8");
    }

    @Test
    void showsWhatARunHasDoneSoFarAndStopsIt() {
        // The first goes at once, the second would go after a minute and a half.
        desk.operator("PUT", "/destinations/airline", "{\"held\":false,\"rate\":0.01}", 200);
        List<String> ids = List.of(enqueue("accept"), enqueue("accept"));
        int execution = dispatch("{\"partitions\":2}");
        await().atMost(PATIENCE)
                .until(() -> job(execution).getJsonObject("report").getInt("completed") == 1);
        assertThat(job(execution).getString("status")).isEqualTo("STARTED");
        assertThat(desk.operator("GET", "/jobs?limit=1", "", 200)
                        .getJsonArray("jobs")
                        .getJsonObject(0)
                        .getInt("execution_id"))
                .isEqualTo(execution);

        desk.operator("POST", "/jobs/" + execution + "/stop", "", 202);
        JsonObject stopped = ended(execution);
        assertThat(stopped.getString("status")).isEqualTo("STOPPED");
        assertThat(stopped.getString("exit_status")).startsWith("completed=1 ");
        assertThat(ids).extracting(this::status).containsExactlyInAnyOrder("completed", "pending");

        assertThat(desk.operator("POST", "/jobs/" + execution + "/stop", "", 202)
                        .getString("status"))
                .as("stopped twice")
                .isEqualTo("STOPPED");
        desk.operator("PUT", "/destinations/airline", "{\"held\":false}", 200);
        ids.forEach(this::sendTheRest);
    }

    @Test
    void knowsNoExecutionThatIsNotThere() {
        for (JsonObject problem : List.of(
                desk.operator("GET", "/jobs/999999999", "", 404),
                desk.operator("POST", "/jobs/999999999/stop", "", 404))) {
            assertThat(problem.getString("code")).isEqualTo("turnframe.dispatch.unknown_execution");
            assertThat(problem.getString("detail")).contains("999999999");
        }
        assertThat(desk.operator("GET", "/jobs/latest", "", 400).getString("code"))
                .isEqualTo("turnframe.admin.invalid_parameter");
        assertThat(desk.operator("GET", "/jobs?limit=0", "", 400).getString("parameter"))
                .isEqualTo("limit");
    }

    /** Dispatches until it is completed. */
    private void sendTheRest(String id) {
        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
            ended(dispatch(""));
            return status(id).equals("completed");
        });
    }

    private String enqueue(String answer) {
        String body = Json.createObjectBuilder()
                .add("destination", "airline")
                .add("idempotency_key", "jobs-" + UUID.randomUUID())
                .add("payload", answer)
                .build()
                .toString();
        return desk.operator("POST", "/entries", body, 201)
                .getJsonObject("entry")
                .getString("outbox_id");
    }

    private String status(String id) {
        return desk.operator("GET", "/entries/" + id, "", 200)
                .getJsonObject("entry")
                .getString("status");
    }

    private int dispatch(String overrides) {
        return desk.operator("POST", "/dispatch", overrides, 202).getInt("execution_id");
    }

    private JsonObject job(int execution) {
        return desk.operator("GET", "/jobs/" + execution, "", 200);
    }

    private JsonObject ended(int execution) {
        return await().atMost(PATIENCE).until(() -> job(execution), job -> job.containsKey("ended_at"));
    }
}
