package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;

/**
 * Posts the payload's bytes to a URL, with the idempotency key in the header {@code Idempotency-Key}. Redirects are not
 * followed and nothing is sent twice by the client. It has no deadline of its own: the dispatcher interrupts it.
 */
public final class HttpSender implements OutboxSender {
    /** The connection was refused, not found or not made in time; no byte of the request left. */
    static final String NOT_CONNECTED = "turnframe.http.not_connected";

    /** The key cannot stand in a header as it is: another key would reach the remote, and perhaps one it has seen. */
    static final String INVALID_KEY = "turnframe.http.invalid_key";

    /** Printable ASCII without spaces at the ends: what every client and server carries unchanged. */
    private static final Pattern KEY = Pattern.compile("[!-~]([ -~]*[!-~])?");

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** More of an answer than this is not read. */
    private static final int MAX_BODY = 64 * 1024;

    private final URI url;
    private final Classification classification;
    private final HttpClient client;

    /** @param referencePointer a JSON pointer to the reference in the answer's body, or null for the Location header */
    public HttpSender(URI url, String referencePointer) {
        this.url = url;
        this.classification = new Classification(referencePointer);
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
    }

    @Override
    public Dispatched send(OutboxEntry entry) {
        if (!KEY.matcher(entry.idempotencyKey()).matches()) {
            return Dispatched.permanent(INVALID_KEY);
        }
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", entry.idempotencyKey())
                .POST(BodyPublishers.ofString(entry.payload()))
                .build();
        try {
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                return classification.of(
                        response.statusCode(), response.headers(), body.readNBytes(MAX_BODY), Instant.now());
            }
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException notConnected) {
            return Dispatched.retryable(NOT_CONNECTED);
        } catch (IOException lost) {
            return Dispatched.unknown();
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
            return Dispatched.unknown();
        }
    }
}
