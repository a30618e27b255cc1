package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.OutboxPurge;
import java.time.Duration;

/**
 * What the purge removes.
 *
 * @param completedAfter how long a completed entry is kept after it ended; null: for ever
 * @param failedAfter how long a failed entry is kept after it ended; null: for ever
 * @param batchSize rows of one transaction, 1 to {@value OutboxPurge#MAX_LIMIT}
 */
record PurgeConfig(Duration completedAfter, Duration failedAfter, int batchSize) {
    /** Within it a settlement may still be repeated, and an answer come late. */
    static final Duration SHORTEST = Duration.ofMinutes(1);

    static final Duration LONGEST = Duration.ofDays(36_500);

    /** @throws IllegalArgumentException whose sentence starts with the component */
    PurgeConfig {
        between("completedAfter", completedAfter);
        between("failedAfter", failedAfter);
        if (batchSize < 1 || batchSize > OutboxPurge.MAX_LIMIT) {
            throw new IllegalArgumentException(
                    "batchSize is " + batchSize + " but must lie between 1 and " + OutboxPurge.MAX_LIMIT);
        }
    }

    /** Whether there is anything that it removes. */
    boolean removesAnything() {
        return completedAfter != null || failedAfter != null;
    }

    private static void between(String name, Duration value) {
        if (value != null && (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException(
                    name + " is " + value + " but must lie between " + SHORTEST + " and " + LONGEST.toDays() + "d");
        }
    }
}
