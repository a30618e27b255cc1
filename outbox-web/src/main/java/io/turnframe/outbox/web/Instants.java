package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxEntry;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Instants as JSON and parameters write them. */
final class Instants {
    private Instants() {}

    /** The instant that an RFC 3339 text with any offset names, or null if it names none. */
    static Instant parse(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** Whether every database keeps it. */
    static boolean isStorable(Instant instant) {
        return !instant.isBefore(OutboxEntry.MIN_INSTANT) && !instant.isAfter(OutboxEntry.MAX_INSTANT);
    }
}
