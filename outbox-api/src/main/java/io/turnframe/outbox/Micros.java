package io.turnframe.outbox;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Instants as microseconds since the epoch: what the databases keep exactly, and a serial form every server accepts.
 */
final class Micros {
    /** Stands for an absent instant. */
    static final long NONE = Long.MIN_VALUE;

    private static final long PER_SECOND = 1_000_000;

    /** The earliest instant every supported database keeps. */
    private static final Instant MIN = Instant.parse("1000-01-01T00:00:00Z");

    /** The latest instant RFC 3339 can write. */
    private static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999999Z");

    private Micros() {}

    /**
     * Cuts {@code instant} to the microsecond; null becomes {@link #NONE}.
     *
     * @throws InvalidRecordException if it lies outside the years 1000 to 9999
     */
    static long of(String name, Instant instant) {
        if (instant == null) {
            return NONE;
        }
        Instant cut = instant.truncatedTo(ChronoUnit.MICROS);
        if (cut.isBefore(MIN) || cut.isAfter(MAX)) {
            throw new InvalidRecordException(name + " " + instant + " lies outside the years 1000 to 9999");
        }
        return cut.getEpochSecond() * PER_SECOND + cut.getNano() / 1_000;
    }

    /** The instant, or null for {@link #NONE}. */
    static Instant toInstant(long micros) {
        return micros == NONE
                ? null
                : Instant.ofEpochSecond(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * 1_000L);
    }
}
