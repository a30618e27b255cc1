package io.turnframe.outbox.it.jta;

import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.jta.business.Books;
import io.turnframe.outbox.it.jta.business.Entries;
import io.turnframe.outbox.it.jta.business.Hang;
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
import java.util.concurrent.CompletableFuture;

/** The business application and the outbox's own resource, as their clients see them. */
final class Site {
    /** Far more than any answer takes, and far less than a transaction in doubt may last. */
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final TestServer server;

    Site(TestServer server) {
        this.server = server;
    }

    void open(Books books) {
        business("PUT", "/books/" + books);
    }

    void place(Books books, UUID order) {
        business("PUT", "/orders/" + books + "/" + order);
    }

    /** Its transaction stops at {@code point}; there will be no answer. */
    CompletableFuture<?> placeAndHang(Books books, UUID order, Hang.Point point) {
        HttpRequest request = request("/application/api/orders/" + books + "/" + order + "?hang=" + point)
                .method("PUT", HttpRequest.BodyPublishers.noBody())
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    /** {@code written}, {@code entries}. */
    JsonObject find(Books books, UUID order) {
        return json(business("GET", "/orders/" + books + "/" + order));
    }

    /** {@code pid}, {@code hanging}. */
    JsonObject server() {
        return json(business("GET", "/server"));
    }

    void recover() {
        business("POST", "/recovery");
    }

    /** {@code GET} of the admin resource, as an operator. */
    HttpResponse<String> outbox(String path) {
        return send(operator(path).GET().timeout(BOUND).build());
    }

    /** {@code POST entries} for the business application's destination. */
    HttpResponse<String> enqueue(String key) {
        JsonObject entry = Json.createObjectBuilder()
                .add("destination", Entries.DESTINATION)
                .add("idempotency_key", key)
                .add("payload", Json.createObjectBuilder())
                .build();
        return send(operator("/entries")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(entry.toString()))
                .timeout(BOUND)
                .build());
    }

    private HttpRequest.Builder operator(String path) {
        String user = "operator:" + System.getProperty("it.operator.password");
        return request("/outbox/api" + path)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
    }

    private HttpResponse<String> business(String method, String path) {
        HttpResponse<String> response = send(request("/application/api" + path)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build());
        if (response.statusCode() >= 300) {
            throw new AssertionError(
                    method + " " + path + " answered " + response.statusCode() + " " + response.body());
        }
        return response;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url(path)));
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new AssertionError(request + " failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    static JsonObject json(HttpResponse<String> response) {
        return Json.createReader(new StringReader(response.body())).readObject();
    }
}
