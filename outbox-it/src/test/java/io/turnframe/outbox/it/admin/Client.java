package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Stream;

/** Requests to the outbox's archive by one user, over connections that are kept. */
final class Client {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final String authorization;

    private Client(String authorization) {
        this.authorization = authorization;
    }

    /** One of the users of the server under test. */
    static Client of(String user) {
        return of(user, System.getProperty("it.operator.password"));
    }

    static Client of(String user, String password) {
        return new Client(authorization(user, password));
    }

    static Client nobody() {
        return new Client(null);
    }

    static String authorization(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** An answer; its body is empty if it has none. */
    record Answer(int status, HttpHeaders headers, String text) {
        /** Empty if there is none. */
        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        JsonObject json() {
            return Json.createReader(new StringReader(text)).readObject();
        }

        /** The whole of it, to be searched. */
        String everything() {
            return headers.map() + "\n" + text;
        }
    }

    /**
     * Calls the admin resource.
     *
     * @param path below its root
     * @param body null for none; else it is sent as JSON, unless a header says otherwise
     * @param headers names and values in turns
     */
    Answer call(String method, String path, String body, String... headers) {
        if (body == null) {
            return send(method, "/outbox/api" + path, null, headers);
        }
        String[] all = Stream.concat(Stream.of("Content-Type", "application/json"), Stream.of(headers))
                .toArray(String[]::new);
        return send(method, "/outbox/api" + path, body.getBytes(StandardCharsets.UTF_8), all);
    }

    /**
     * Asks for something at any address of the server.
     *
     * @param headers names and values in turns; of a name that is repeated the last counts
     */
    Answer send(String method, String path, byte[] body, String... headers) {
        HttpRequest.BodyPublisher publisher =
                body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body);
        return exchange(method, path, publisher, headers);
    }

    /** The same, but does not say beforehand how long the body is. */
    Answer sendChunked(String method, String path, byte[] body, String... headers) {
        return exchange(
                method,
                path,
                HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofByteArray(body)),
                headers);
    }

    private Answer exchange(String method, String path, HttpRequest.BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(TestServer.server().url(path)))
                .timeout(PATIENCE)
                .method(method, body);
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException failed) {
            throw new AssertionError(method + " " + path + " failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
