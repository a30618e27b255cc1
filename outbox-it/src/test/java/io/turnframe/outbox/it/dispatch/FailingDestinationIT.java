package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.Marker;
import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A destination that nobody listens at, beside one that is well. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("embedded-database")
@Tag("wildfly")
@Configured({
    "outbox.admin.enqueue=true",
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=100ms",
    "outbox.dispatch.initial-backoff=100ms",
    "outbox.dispatch.max-attempts=2",
    "outbox.destinations=airline,down",
    "outbox.destination.down.url=http://localhost:1/{outbox_id}",
    "outbox.destination.down.token=" + Marker.TEXT,
    "outbox.destination.down.reconcile-url=http://localhost:1/{outbox_id}"
})
class FailingDestinationIT extends WithTravelDesk {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Desk desk = new Desk(TestServer.server());

    @Test
    void isLeftAloneAndShownAndFailsNoEntryAndHoldsUpNobody() {
        List<String> ids = IntStream.range(0, 10).mapToObj(n -> enqueue()).toList();
        await().atMost(PATIENCE).until(() -> down().containsKey("breaker"));
        assertThat(down().getString("breaker_code")).isEqualTo("turnframe.http.not_connected");
        assertThat(down().getString("route")).isEqualTo("http://localhost:1/{outbox_id}");
        assertThat(down().getInt("probe_in_seconds")).isNotNegative();
        assertThat(desk.operator("GET", "/stats", "", 200).getJsonArray("failing"))
                .containsExactly(Json.createValue("down"));

        desk.await(desk.book("accept"), "completed");
        // More attempts than the budget, and none used up.
        await().atMost(PATIENCE)
                .until(() -> ids.stream()
                        .anyMatch(id -> entry(id).getJsonObject("entry").getInt("attempt_count") > 2));
        assertThat(ids)
                .extracting(id -> entry(id).getJsonObject("entry").getString("status"))
                .isSubsetOf("pending", "dispatching");
    }

    private String enqueue() {
        String body = Json.createObjectBuilder()
                .add("destination", "down")
                .add("idempotency_key", "down-" + UUID.randomUUID())
                .add("payload", "seat")
                .build()
                .toString();
        return desk.operator("POST", "/entries", body, 201)
                .getJsonObject("entry")
                .getString("outbox_id");
    }

    private JsonObject down() {
        return desk.operator("GET", "/destinations", "", 200).getJsonArray("destinations").stream()
                .map(JsonObject.class::cast)
                .filter(destination -> destination.getString("name").equals("down"))
                .findFirst()
                .orElseThrow();
    }

    private JsonObject entry(String id) {
        return desk.operator("GET", "/entries/" + id, "", 200);
    }
}
