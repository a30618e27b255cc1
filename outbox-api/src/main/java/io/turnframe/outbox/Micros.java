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

    private Micros() {}

    /**
     * Cuts {@code instant} to the microsecond; null becomes {@link #NONE}.
     *
     * @throws InvalidRecordException if it lies outside the years 1600 to 9999
     */
    static long of(String name, Instant instant) {
        if (instant == null) {
            return NONE;
        }
        Instant cut = instant.truncatedTo(ChronoUnit.MICROS);
        if (cut.isBefore(OutboxEntry.MIN_INSTANT) || cut.isAfter(OutboxEntry.MAX_INSTANT)) {
            throw new InvalidRecordException(name + " " + instant + " lies outside the years 1600 to 9999");
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
