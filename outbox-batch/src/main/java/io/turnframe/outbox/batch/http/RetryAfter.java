package io.turnframe.outbox.batch.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Reads the header {@code Retry-After}. */
final class RetryAfter {
    /** Longer waits are not believed. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final int MOST_DIGITS = 9;

    private RetryAfter() {}

    /**
     * When to come again: now at the earliest, in a day at the latest.
     *
     * @param value seconds or a date, or null
     * @return null if there is none, or it is neither
     */
    static Instant read(String value, Instant now) {
        if (value == null) {
            return null;
        }
        Instant latest = now.plus(LONGEST);
        Instant at;
        String text = value.strip();
        if (text.matches("\\d+")) {
            at = text.length() > MOST_DIGITS ? latest : now.plusSeconds(Long.parseLong(text));
        } else {
            try {
                at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant();
            } catch (DateTimeException unreadable) {
                return null;
            }
        }
        if (at.isBefore(now)) {
            return now;
        }
        return at.isAfter(latest) ? latest : at;
    }
}
