package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxStats;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The backlog in numbers.
 *
 * @param oldestDueAgeSeconds null if none is due
 * @param due of each destination that has any, by name
 * @param unknownOverdue entries whose outcome has been unknown for longer than {@code outbox.reconcile.overdue-after}
 * @param unknownWithoutReconciler entries whose outcome is unknown and whose destination has no reconciler now
 * @param failing the destinations that this node sends nothing to for a while because they are failing, by name
 */
public record StatsView(
        Instant asOf,
        long dueNow,
        Long oldestDueAgeSeconds,
        List<OutboxStats.Count> counts,
        List<OutboxStats.Due> due,
        long unknownOverdue,
        long unknownWithoutReconciler,
        List<String> failing) {
    /**
     * @param reconciled the destinations that have a reconciler
     * @param failing those whose breaker is not closed here
     */
    static StatsView of(OutboxStats stats, long overdue, Set<String> reconciled, Set<String> failing) {
        long without = stats.counts().stream()
                .filter(count -> count.status() == OutboxStatus.OUTCOME_UNKNOWN)
                .filter(count -> !reconciled.contains(count.destination()))
                .mapToLong(OutboxStats.Count::count)
                .sum();
        return new StatsView(
                stats.asOf(),
                stats.dueNow(),
                stats.oldestDueAgeSeconds(),
                stats.counts(),
                stats.due(),
                overdue,
                without,
                failing.stream().sorted().toList());
    }
}
