package io.turnframe.outbox.web;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The query parameters of a request, read strictly: one that is unknown or given twice is refused, because a filter that
 * is silently ignored shows rows nobody asked for. An empty one counts as absent.
 */
final class Parameters {
    private static final Pattern UUID_TEXT =
            Pattern.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");

    private final Map<String, List<String>> given;

    /** @throws AdminException if one is not among {@code known}, or is repeated */
    Parameters(MultivaluedMap<String, String> given, Set<String> known) {
        this.given = given;
        given.forEach((name, values) -> {
            if (!known.contains(name)) {
                // The name is not echoed: it can be anything.
                throw AdminException.invalidParameter(
                        null,
                        known.isEmpty()
                                ? "this call takes no query parameters"
                                : "unknown query parameter; known are " + sorted(known));
            }
            if (values.size() > 1) {
                throw AdminException.invalidParameter(name, name + " is given more than once");
            }
        });
    }

    /** @throws AdminException if there is one: for calls that take none */
    static void none(UriInfo uri) {
        new Parameters(uri.getQueryParameters(), Set.of());
    }

    /**
     * A text without control characters, or null if absent.
     *
     * @throws AdminException if it is longer than {@code maxLength} UTF-16 units, or holds control characters or half a
     *     surrogate pair, which a body can write and no database takes
     */
    String text(String name, int maxLength) {
        List<String> values = given.get(name);
        String value = values == null || values.isEmpty() ? null : values.get(0);
        if (value == null || value.isEmpty()) {
            return null;
        }
        if (value.length() > maxLength
                || value.chars().anyMatch(Character::isISOControl)
                || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw AdminException.invalidParameter(
                    name,
                    name + " is longer than " + maxLength
                            + " characters, or holds control characters or half a surrogate pair");
        }
        return value;
    }

    /** A status by its label, or null if absent. */
    OutboxStatus status(String name) {
        String label = text(name, 32);
        try {
            return label == null ? null : OutboxStatus.ofLabel(label);
        } catch (InvalidRecordException e) {
            throw AdminException.invalidParameter(
                    name, name + " is none of pending, dispatching, completed, failed, outcome_unknown");
        }
    }

    /** A UUID, or null if absent. */
    UUID uuid(String name) {
        String text = text(name, 64);
        return text == null ? null : uuid(name, text);
    }

    /** An instant, or null if absent. */
    Instant instant(String name) {
        String text = text(name, 64);
        // A plus that was not escaped is read as a space.
        Instant instant = text == null ? null : Instants.parse(text.replace(' ', '+'));
        if (text != null && (instant == null || !Instants.isStorable(instant))) {
            throw AdminException.invalidParameter(name, name + " is not an RFC 3339 date and time");
        }
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** A whole number from {@code min} to {@code max}, or {@code absent}. */
    int integer(String name, int min, int max, int absent) {
        String text = text(name, 16);
        if (text == null) {
            return absent;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Falls through to the same answer.
        }
        throw AdminException.invalidParameter(name, name + " is not a whole number from " + min + " to " + max);
    }

    /**
     * The UUID that {@code text} writes in full; {@link UUID#fromString} alone also takes short forms.
     *
     * @throws AdminException if it writes none; it names {@code name}
     */
    static UUID uuid(String name, String text) {
        if (!UUID_TEXT.matcher(text).matches()) {
            throw AdminException.invalidParameter(name, name + " is not a UUID");
        }
        return UUID.fromString(text);
    }

    private static String sorted(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }
}
