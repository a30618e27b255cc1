package io.turnframe.outbox.it.carrier;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Posts to the remote of the test, whose address is a system property of the server. */
final class Carrier {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private Carrier() {}

    /** @param version of the sender, kept as the reference */
    static Dispatched post(OutboxEntry entry, String version) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getProperty("it.carrier.url")))
                .timeout(Duration.ofSeconds(20))
                .header("Idempotency-Key", entry.idempotencyKey())
                .POST(HttpRequest.BodyPublishers.ofString(entry.payload()))
                .build();
        try {
            int status =
                    HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status == 201 ? Dispatched.completed(version) : Dispatched.unknown();
        } catch (IOException noAnswer) {
            return Dispatched.unknown();
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
            return Dispatched.unknown();
        }
    }
}
