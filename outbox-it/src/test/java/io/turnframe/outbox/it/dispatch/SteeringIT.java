package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds and limits said while it runs, and what a destination has of its own. */
@Tag("dispatcher")
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=100ms",
    "outbox.dispatch.initial-backoff=200ms",
    "outbox.dispatch.send-timeout=2s",
    "outbox.destination.airline.max-attempts=2"
})
class SteeringIT extends WithTravelDesk {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Desk desk = new Desk(TestServer.server());

    @AfterEach
    void letGo() {
        desk.operator("POST", "/hold", "{\"held\":false}", 200);
        say("{\"held\":false}");
    }

    @Test
    void keepsAHeldDestinationsEntriesUntilItIsLetGo() {
        JsonObject said = say("{\"held\":true,\"note\":\"they asked for it\"}");
        assertThat(said.getString("changed_by")).isEqualTo("operator");
        assertThat(said.getString("route")).contains("/travel-desk/api/airline/requests");
        UUID booking = desk.book("accept");
        assertARunSendsNothing(booking);

        // Beside those that others have said something of on this server.
        JsonObject listed = desk
                .operator("GET", "/destinations", "", 200)
                .getJsonArray("destinations")
                .getValuesAs(JsonObject.class)
                .stream()
                .filter(destination -> destination.getString("name").equals("airline"))
                .findFirst()
                .orElseThrow();
        assertThat(listed.getBoolean("held")).isTrue();
        assertThat(listed.getString("note")).isEqualTo("they asked for it");

        say("{\"held\":false}");
        desk.await(booking, "completed");
        assertThat(desk.requestsAtTheAirline(booking)).isEqualTo(1);
    }

    @Test
    void keepsEverythingUntilItIsLetGo() {
        JsonObject hold = desk.operator("POST", "/hold", "{\"held\":true,\"note\":\"night\"}", 200);
        assertThat(hold.getBoolean("held")).isTrue();
        UUID booking = desk.book("accept");
        assertARunSendsNothing(booking);
        assertThat(desk.operator("GET", "/destinations", "", 200)
                        .getJsonObject("hold")
                        .getString("note"))
                .isEqualTo("night");
        desk.operator("POST", "/hold", "{\"held\":false}", 200);
        desk.await(booking, "completed");
    }

    @Test
    void sendsNoFasterThanTheRate() {
        say("{\"held\":false,\"rate\":2}");
        Instant before = Instant.now();
        List<UUID> bookings =
                Stream.generate(() -> desk.book("accept")).limit(5).toList();
        bookings.forEach(booking -> desk.await(booking, "completed"));
        // The first may go at once, each other half a second after the one before.
        assertThat(Duration.between(before, Instant.now())).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(bookings).extracting(desk::requestsAtTheAirline).containsOnly(1);
    }

    @Test
    void sendsAllUnderALimitOfOneOneAtATime() {
        say("{\"held\":false,\"concurrency\":1}");
        List<UUID> silent = Stream.generate(() -> desk.book("silent")).limit(3).toList();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            // In one look: each is out until its deadline.
            assertThat(desk.operator("GET", "/entries?status=dispatching", "", 200)
                            .getJsonArray("entries"))
                    .hasSizeLessThanOrEqualTo(1);
            return silent.stream().map(desk::status).allMatch("outcome_unknown"::equals);
        });
        List<UUID> bookings =
                Stream.generate(() -> desk.book("accept")).limit(10).toList();
        bookings.forEach(booking -> desk.await(booking, "completed"));
        assertThat(bookings).extracting(desk::requestsAtTheAirline).containsOnly(1);
    }

    @Test
    void spendsTheBudgetOfTheDestination() {
        UUID booking = desk.book("busy");
        JsonObject failed = desk.await(booking, "failed", "completed");
        assertThat(failed.getString("status")).isEqualTo("failed");
        assertThat(failed.getInt("attempts")).isEqualTo(2);
    }

    @Test
    void refusesWhatCannotBeMeant() {
        assertRefused("/destinations/airline", "{}", "turnframe.admin.malformed_json");
        assertRefused("/destinations/airline", "{\"held\":1}", "turnframe.admin.malformed_json");
        assertRefused("/destinations/airline", "{\"held\":false,\"speed\":1}", "turnframe.admin.malformed_json");
        assertRefused("/destinations/airline", "{\"held\":false,\"rate\":0}", "turnframe.store.invalid_record");
        assertRefused("/destinations/airline", "{\"held\":false,\"rate\":1e999}", "turnframe.store.invalid_record");
        assertRefused("/destinations/airline", "{\"held\":false,\"concurrency\":0}", "turnframe.store.invalid_record");
        assertRefused("/destinations/" + "a".repeat(201), "{\"held\":true}", "turnframe.store.invalid_record");
        assertRefused("/destinations/*", "{\"held\":true}", "turnframe.admin.invalid_parameter");
        assertThat(desk.operator("POST", "/hold", "{\"held\":null}", 400).getString("code"))
                .isEqualTo("turnframe.admin.malformed_json");
    }

    private void assertRefused(String path, String body, String code) {
        assertThat(desk.operator("PUT", path, body, 400).getString("code")).isEqualTo(code);
    }

    private JsonObject say(String body) {
        return desk.operator("PUT", "/destinations/airline", body, 200);
    }

    /** One that is started by hand, beside those of the ticks and of the commit. */
    private void assertARunSendsNothing(UUID booking) {
        int execution = desk.dispatch().getInt("execution_id");
        JsonObject ended = await().atMost(PATIENCE)
                .until(() -> desk.operator("GET", "/jobs/" + execution, "", 200), job -> job.containsKey("ended_at"));
        assertThat(ended.getString("exit_status")).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(desk.status(booking)).isEqualTo("pending");
        assertThat(desk.request(booking).getInt("attempts")).isZero();
        assertThat(desk.requestsAtTheAirline(booking)).isZero();
    }
}
