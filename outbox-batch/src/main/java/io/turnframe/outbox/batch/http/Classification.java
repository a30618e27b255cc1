package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.Dispatched;
import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonPointer;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/**
 * What an HTTP answer says of the effect.
 *
 * <table>
 * <caption>The rules</caption>
 * <tr><th>answer</th><th>means</th></tr>
 * <tr><td>2xx</td><td>completed, with the remote's reference</td></tr>
 * <tr><td>401, 403, 404, 405, 407, 429; 503 with Retry-After</td><td>not taken in; retryable</td></tr>
 * <tr><td>408, 409, 425, any other 5xx, 1xx, 3xx</td><td>unknown: the request may have had its effect</td></tr>
 * <tr><td>any other 4xx</td><td>refused: permanent</td></tr>
 * </table>
 */
final class Classification {
    private static final String CODE = "turnframe.http.status_";

    /** A Retry-After beyond this is not believed. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(1);

    private static final int MAX_REFERENCE = 512;

    private final JsonPointer pointer;

    Classification(String referencePointer) {
        pointer = referencePointer == null ? null : Json.createPointer(referencePointer);
    }

    Dispatched of(int status, HttpHeaders headers, byte[] body, Instant now) {
        if (status >= 200 && status < 300) {
            return Dispatched.completed(reference(headers, body));
        }
        Instant retryAfter = retryAfter(headers, now);
        return switch (status) {
            case 401, 403, 404, 405, 407, 429 -> Dispatched.retryable(CODE + status, retryAfter);
            case 408, 409, 425 -> Dispatched.unknown();
            case 503 -> retryAfter == null ? Dispatched.unknown() : Dispatched.retryable(CODE + status, retryAfter);
            default -> status >= 400 && status < 500 ? Dispatched.permanent(CODE + status) : Dispatched.unknown();
        };
    }

    private String reference(HttpHeaders headers, byte[] body) {
        String reference = pointer == null ? headers.firstValue("Location").orElse(null) : pointed(body);
        return reference == null || reference.isBlank() || reference.length() > MAX_REFERENCE ? null : reference;
    }

    /** An answer that is not what the pointer expects still confirms: the reference is then absent. */
    private String pointed(byte[] body) {
        try (JsonReader reader = Json.createReader(new ByteArrayInputStream(body))) {
            JsonStructure structure = reader.read();
            if (!pointer.containsValue(structure)) {
                return null;
            }
            JsonValue value = pointer.getValue(structure);
            return switch (value.getValueType()) {
                case STRING -> ((JsonString) value).getString();
                case NUMBER -> value.toString();
                default -> null;
            };
        } catch (JsonException notJson) {
            return null;
        }
    }

    /** Seconds or a date; null if absent, absurd or unreadable. */
    private static Instant retryAfter(HttpHeaders headers, Instant now) {
        String value = headers.firstValue("Retry-After").orElse("").strip();
        Instant at;
        try {
            at = value.matches("\\d{1,9}")
                    ? now.plusSeconds(Long.parseLong(value))
                    : ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
        } catch (DateTimeException unreadable) {
            return null;
        }
        Instant latest = now.plus(LONGEST_RETRY_AFTER);
        return at.isAfter(latest) ? latest : at;
    }
}
