package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What needs a person.
 *
 * @param dispatching whether this node sends by itself
 * @param everythingHeld whether everything is held
 * @param held whether a destination is held by itself
 * @param routable whether entries of a destination find their sender on this node
 * @param longestDue how long an entry of a destination may have been due
 */
record HealthRules(
        boolean dispatching,
        boolean everythingHeld,
        Predicate<String> held,
        Predicate<String> routable,
        Function<String, Duration> longestDue) {
    /** @param overdue entries whose outcome has been unknown for too long */
    List<Health.Problem> problems(OutboxStats stats, long overdue) {
        List<Health.Problem> problems = new ArrayList<>();
        if (!dispatching && stats.dueNow() > 0) {
            problems.add(new Health.Problem(
                    "turnframe.health.dispatch_off",
                    null,
                    areDue(stats.dueNow()) + " and this node does not dispatch"));
        }
        if (everythingHeld && stats.dueNow() > 0) {
            problems.add(new Health.Problem(
                    "turnframe.health.held", null, areDue(stats.dueNow()) + " and everything is held"));
        }
        for (OutboxStats.Due due : stats.due()) {
            String destination = due.destination();
            if (held.test(destination)) {
                problems.add(new Health.Problem(
                        "turnframe.health.held", destination, areDue(due.count()) + " and it is held"));
            }
            Duration longest = longestDue.apply(destination);
            if (due.oldestAgeSeconds() > longest.toSeconds()) {
                problems.add(new Health.Problem(
                        "turnframe.health.backlog_age",
                        destination,
                        "an entry has been due for " + due.oldestAgeSeconds() + " s, longer than " + longest));
            }
        }
        for (OutboxStats.Count count : stats.counts()) {
            if (count.status() == OutboxStatus.PENDING && !routable.test(count.destination())) {
                problems.add(new Health.Problem(
                        "turnframe.health.unroutable",
                        count.destination(),
                        (count.count() == 1 ? "1 entry waits" : count.count() + " entries wait")
                                + " for a sender that this node does not find"));
            }
        }
        if (overdue > 0) {
            problems.add(new Health.Problem(
                    "turnframe.health.unknown_overdue",
                    null,
                    (overdue == 1 ? "1 outcome has" : overdue + " outcomes have")
                            + " been unknown for longer than outbox.reconcile.overdue-after"));
        }
        return problems;
    }

    private static String areDue(long entries) {
        return entries == 1 ? "1 entry is due" : entries + " entries are due";
    }
}
