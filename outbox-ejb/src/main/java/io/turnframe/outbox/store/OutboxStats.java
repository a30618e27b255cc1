package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.util.List;

/**
 * The backlog at one moment.
 *
 * @param asOf the moment that decided what is due
 * @param dueNow how many pending entries a claim could take
 * @param oldestDueAgeSeconds whole seconds since the entry that has waited longest came due; null if none is due
 * @param counts ordered by destination, then status; a pair without entries is absent
 * @param due of each destination that has any, ordered by destination
 */
public record OutboxStats(Instant asOf, long dueNow, Long oldestDueAgeSeconds, List<Count> counts, List<Due> due) {
    public OutboxStats {
        counts = List.copyOf(counts);
        due = List.copyOf(due);
    }

    /**
     * The pending entries of {@code destination} that a claim could take.
     *
     * @param oldestAgeSeconds whole seconds since the one that has waited longest came due
     */
    public record Due(String destination, long count, long oldestAgeSeconds) {}

    /** How many entries for {@code destination} are in {@code status}. */
    public record Count(String destination, OutboxStatus status, long count) {}
}
