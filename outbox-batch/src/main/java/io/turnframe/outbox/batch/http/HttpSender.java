package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.message.BasicHttpRequest;

/**
 * Sends the payload's bytes to a URL, with the idempotency key in the header {@code Idempotency-Key}, in one request for
 * each call. What an answer, or the lack of one, means is the table of {@code docs/senders.md}.
 */
public final class HttpSender implements OutboxSender, AutoCloseable {
    /** No byte of the request has left: no connection, or no TLS. */
    static final String NOT_CONNECTED = "turnframe.http.not_connected";

    /** The key cannot stand in the header, or in the URL, as it is: the request would be another one. Nothing is sent. */
    public static final String INVALID_KEY = "turnframe.http.invalid_key";

    /** The request may have left and there is no whole answer, at a destination where that may be repeated. */
    static final String NO_ANSWER = "turnframe.http.no_answer";

    private static final String STATUS = "turnframe.http.status_";

    /** Printable ASCII without spaces at the ends: what every client and server carries unchanged. */
    private static final Pattern KEY = Pattern.compile("[!-~]([ -~]*[!-~])?");

    private final HttpRoute route;
    private final HttpWire wire;

    /** It holds connections from here on; to be closed. */
    public HttpSender(HttpRoute route) {
        this.route = route;
        this.wire = route.http().open();
    }

    @Override
    public Dispatched send(OutboxEntry entry) {
        String target = route.url().expand(entry, null);
        if (target == null || !KEY.matcher(entry.idempotencyKey()).matches()) {
            return Dispatched.permanent(INVALID_KEY);
        }
        BasicHttpRequest request =
                new BasicHttpRequest(route.method(), route.url().host(), target);
        byte[] body = null;
        if (route.hasBody()) {
            body = entry.payload().getBytes(StandardCharsets.UTF_8);
            request.setHeader("Content-Type", "application/json");
        }
        route.http().headers().forEach(request::setHeader);
        request.setHeader("Idempotency-Key", entry.idempotencyKey());
        try {
            Answer answer = wire.exchange(route.url().host(), request, body, route.pointer() != null);
            return classify(answer, Instant.now());
        } catch (NotSentException notArrived) {
            return Dispatched.unavailable(NOT_CONNECTED);
        } catch (IOException lost) {
            return unknown(NO_ANSWER);
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
            return unknown(NO_ANSWER);
        }
    }

    private Dispatched classify(Answer answer, Instant now) {
        Instant retryAfter = RetryAfter.read(answer.retryAfter(), now);
        String code = STATUS + answer.status();
        return switch (route.answers().of(answer.status(), retryAfter != null)) {
            case CONFIRMED -> Dispatched.completed(reference(answer));
            case REFUSED -> Dispatched.permanent(code);
            case TROUBLE -> Dispatched.unavailable(code, retryAfter);
            case NOT_ARRIVED -> Dispatched.retryable(code, retryAfter);
            case UNKNOWN -> unknown(code);
        };
    }

    private Dispatched unknown(String code) {
        return route.retriesUnknown() ? Dispatched.retryable(code) : Dispatched.unknown();
    }

    /** As the remote gave it: the dispatcher drops one that cannot be stored. */
    private String reference(Answer answer) {
        return route.pointer() == null ? answer.location() : route.pointer().in(answer.body());
    }

    @Override
    public void close() {
        wire.close();
    }
}
