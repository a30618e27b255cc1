package io.turnframe.outbox.it.reconcile;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The admin resource as an operator calls it, and the remote beside it. */
final class Operator {
    static final String REMOTE = "java:global/application/SilentRemote!io.turnframe.outbox.";

    /** How long an entry may take that is on its way. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The order of names and the way of numbers must come out as they went in. */
    private static final String PAYLOAD = "{\"z\":1,\"a\":1.50}";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final TestServer server;

    Operator(TestServer server) {
        this.server = server;
    }

    static WebArchive remote() {
        return Archives.application().addClasses(SilentRemote.class, RequestsServlet.class);
    }

    /** A key of which the reconciler says that. */
    static String key(String answer) {
        return answer + ":" + UUID.randomUUID();
    }

    /** Enqueues; answers the entry's id. */
    String enqueue(String destination, String key) {
        String body = "{\"destination\":\"" + destination + "\",\"idempotency_key\":\"" + key + "\",\"payload\":"
                + PAYLOAD + "}";
        return post("/entries", body, 201).getJsonObject("entry").getString("outbox_id");
    }

    /** Enqueues to the remote, and waits until the outcome is unknown. */
    String unknown(String key) {
        String id = enqueue("airline", key);
        await(id, "outcome_unknown");
        return id;
    }

    JsonObject record(String id) {
        return get("/outbox/api/entries/" + id, 200);
    }

    String status(String id) {
        return record(id).getJsonObject("entry").getString("status");
    }

    JsonObject await(String id, String status) {
        return Awaitility.await("entry " + id + " becomes " + status)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> record(id),
                        record -> status.equals(record.getJsonObject("entry").getString("status")));
    }

    JsonObject reconcile(String id, int expected) {
        return post("/entries/" + id + "/reconcile", "", expected);
    }

    JsonObject stats() {
        return get("/outbox/api/stats", 200);
    }

    /** The payloads that reached the remote with this key. */
    List<String> requests(String key) {
        return get("/application/requests?key=" + key, 200)
                .getJsonArray("payloads")
                .getValuesAs(JsonString::getString);
    }

    static String payload() {
        return PAYLOAD;
    }

    private JsonObject get(String path, int expected) {
        return send(request(path).build(), expected);
    }

    private JsonObject post(String path, String body, int expected) {
        HttpRequest request = request("/outbox/api" + path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return send(request, expected);
    }

    private HttpRequest.Builder request(String path) {
        String operator = "operator:" + System.getProperty("it.operator.password");
        return HttpRequest.newBuilder(URI.create(server.url(path)))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(StandardCharsets.UTF_8)));
    }

    private JsonObject send(HttpRequest request, int expected) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != expected) {
                throw new AssertionError(request + " answered " + response.statusCode() + " " + response.body());
            }
            return Json.createReader(new StringReader(response.body())).readObject();
        } catch (IOException failed) {
            throw new AssertionError(request + " failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
