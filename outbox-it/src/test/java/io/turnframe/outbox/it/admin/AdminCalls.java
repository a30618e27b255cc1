package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import org.awaitility.Awaitility;

/** Calls of the admin resource by an operator in every role, and entries for it to act on. */
final class AdminCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final TestServer server = TestServer.server();

    /** An answer: its status and headers, and its body if that is a JSON object. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        JsonObject json() {
            return Json.createReader(new StringReader(response.body())).readObject();
        }

        String text() {
            return response.body();
        }
    }

    Answer get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    /** Without a user. */
    Answer anonymous(String path) {
        return send(HttpRequest.newBuilder(URI.create(server.url("/outbox/api" + path)))
                .build());
    }

    Answer post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    Answer put(String path, String body) {
        return send("PUT", path, body);
    }

    /** Enqueues an entry which the airline answers so, under a key that begins so; answers its id. */
    String enqueue(String behaviour, String keyPrefix) {
        String body = "{\"destination\":\"airline\",\"idempotency_key\":\"" + keyPrefix + UUID.randomUUID()
                + "\",\"payload\":{\"booking\":\"b\",\"passenger\":\"Ada\",\"flight\":\"TF1\",\"behaviour\":\""
                + behaviour
                + "\"}}";
        Answer created = post("/entries", body);
        if (created.status() != 201) {
            throw new AssertionError(created.text());
        }
        return created.json().getJsonObject("entry").getString("outbox_id");
    }

    /** Enqueues such an entry and waits until it is in that status. */
    String entry(String behaviour, String status) {
        String id = enqueue(behaviour, "");
        await(id, status);
        return id;
    }

    JsonObject await(String id, String status) {
        return Awaitility.await("entry " + id + " becomes " + status)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> record(id), record -> status.equals(status(record)));
    }

    JsonObject record(String id) {
        return get("/entries/" + id).json();
    }

    static String status(JsonObject record) {
        return record.getJsonObject("entry").getString("status");
    }

    /** @param headers names and values in turns */
    private Answer send(String method, String path, String body, String... headers) {
        String operator = "operator:" + System.getProperty("it.operator.password");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url("/outbox/api" + path)))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(StandardCharsets.UTF_8)));
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    private Answer send(HttpRequest request) {
        try {
            return new Answer(http.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException failed) {
            throw new AssertionError(request + " failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
