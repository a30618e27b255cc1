package io.turnframe.outbox.it.dispatch;

import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonStructure;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;

/** The travel desk, the airline and the outbox's own resource, as their clients see them. */
final class Desk {
    /** How long an entry may take that is on its way. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final TestServer server;

    Desk(TestServer server) {
        this.server = server;
    }

    /** Books with an airline that behaves so: {@code accept}, {@code refuse}, {@code busy} or {@code silent}. */
    UUID book(String airline) {
        return UUID.fromString(post("/bookings", form(airline).build(), 201).getString("id"));
    }

    /** Books and rolls back; answers the id that the booking would have had. */
    UUID bookAndRollBack() {
        JsonObject refusal =
                post("/bookings", form("accept").add("rollback", true).build(), 409);
        return UUID.fromString(refusal.getString("booking"));
    }

    /**
     * Books a journey in one transaction; answers the ids booked now.
     *
     * @param legs each the booking it may already have, or null for a new one
     */
    List<UUID> bookJourney(UUID... legs) {
        JsonArrayBuilder flights = Json.createArrayBuilder();
        for (UUID leg : legs) {
            JsonObjectBuilder flight = Json.createObjectBuilder().add("flight", "TF1");
            flights.add(leg == null ? flight : flight.add("booking", leg.toString()));
        }
        JsonObject journey = Json.createObjectBuilder()
                .add("passenger", "Ada")
                .add("legs", flights)
                .build();
        return post("/bookings/journeys", journey, 201).getJsonArray("booked").getValuesAs(Desk::uuid);
    }

    private static UUID uuid(JsonString text) {
        return UUID.fromString(text.getString());
    }

    private static JsonObjectBuilder form(String airline) {
        return Json.createObjectBuilder()
                .add("passenger", "Ada")
                .add("flight", "TF1")
                .add("airline", airline);
    }

    /** What the outbox holds for a booking. */
    JsonArray requests(UUID booking) {
        return get("/bookings/" + booking + "/requests").asJsonArray();
    }

    /** The one request of a booking. */
    JsonObject request(UUID booking) {
        return requests(booking).getJsonObject(0);
    }

    String status(UUID booking) {
        return request(booking).getString("status");
    }

    /** The one request of a booking, once it is in one of these statuses. */
    JsonObject await(UUID booking, String... statuses) {
        return Awaitility.await("booking " + booking + " becomes " + String.join(" or ", statuses))
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> request(booking),
                        request -> Arrays.asList(statuses).contains(request.getString("status")));
    }

    /** How many requests for a booking reached the airline. */
    int requestsAtTheAirline(UUID booking) {
        return get("/airline/requests/booking-" + booking).asJsonObject().getInt("requests");
    }

    /** {@code POST /outbox/api/dispatch}, as an operator. */
    JsonObject dispatch() {
        return operator("POST", "/dispatch", "", 202);
    }

    /** A call of the outbox's own resource, as an operator. */
    JsonObject operator(String method, String path, String body, int expected) {
        String operator = "operator:" + System.getProperty("it.operator.password");
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url("/outbox/api" + path)))
                .header("Content-Type", "application/json")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(StandardCharsets.UTF_8)))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return send(request, expected).asJsonObject();
    }

    private JsonObject post(String path, JsonObject body, int expected) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url("/travel-desk/api") + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        return send(request, expected).asJsonObject();
    }

    private JsonStructure get(String path) {
        return send(
                HttpRequest.newBuilder(URI.create(server.url("/travel-desk/api") + path))
                        .build(),
                200);
    }

    private JsonStructure send(HttpRequest request, int expected) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != expected) {
                throw new AssertionError(request + " answered " + response.statusCode() + " " + response.body());
            }
            return Json.createReader(new StringReader(response.body())).read();
        } catch (IOException failed) {
            throw new AssertionError(request + " failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
