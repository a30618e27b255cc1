package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The instants of a stored row as a record can carry them. A column takes more than that, {@code -infinity} for one, and
 * one row that another program stored so must not keep all others from being read.
 */
final class Instants {
    private Instants() {}

    /** Cut to the microsecond, and to the first or the last instant of a record where it lies outside; null stays null. */
    static Instant within(Instant stored) {
        if (stored == null) {
            return null;
        }
        if (stored.isBefore(OutboxEntry.MIN_INSTANT)) {
            return OutboxEntry.MIN_INSTANT;
        }
        return stored.isAfter(OutboxEntry.MAX_INSTANT)
                ? OutboxEntry.MAX_INSTANT
                : stored.truncatedTo(ChronoUnit.MICROS);
    }

    /** The same of a column that is never null: MariaDB's date of zeros, which is none, is read as null. */
    static Instant withinOrFirst(Instant stored) {
        return stored == null ? OutboxEntry.MIN_INSTANT : within(stored);
    }
}
