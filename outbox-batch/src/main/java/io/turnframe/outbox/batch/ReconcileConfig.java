package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.OutboxReconciliation;
import java.time.Duration;

/**
 * How remotes are asked about entries whose outcome is unknown.
 *
 * @param timeout the deadline of one question; an answer that comes later is not heard
 * @param settlingTime how long an outcome must have been unknown before <em>never arrived</em> may lead to a resend
 * @param overdueAfter the age at which an unknown outcome is shown as overdue
 * @param initialBackoff the delay before the second question
 * @param maxBackoff the longest delay
 * @param concurrency questions out on this node, 1 to {@value OutboxReconciliation#MAX_LIMIT}
 */
record ReconcileConfig(
        Duration timeout,
        Duration settlingTime,
        Duration overdueAfter,
        Duration initialBackoff,
        Duration maxBackoff,
        int concurrency) {
    private static final Duration LONGEST = Duration.ofDays(365);

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    private static final Duration SHORTEST = Duration.ofMillis(1);

    // After the limits, which its constructor asks for.
    static final ReconcileConfig DEFAULTS = new ReconcileConfig(
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofHours(24),
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            16);

    /** @throws IllegalArgumentException whose sentence starts with the component */
    ReconcileConfig {
        DispatchSettings.between("timeout", timeout, SHORTEST, LONGEST_TIMEOUT);
        DispatchSettings.between("settlingTime", settlingTime, Duration.ZERO, LONGEST);
        DispatchSettings.between("overdueAfter", overdueAfter, SHORTEST, LONGEST);
        DispatchSettings.between("initialBackoff", initialBackoff, SHORTEST, LONGEST);
        DispatchSettings.between("maxBackoff", maxBackoff, initialBackoff, LONGEST);
        if (concurrency < 1 || concurrency > OutboxReconciliation.MAX_LIMIT) {
            throw new IllegalArgumentException(
                    "concurrency is " + concurrency + " but must lie between 1 and " + OutboxReconciliation.MAX_LIMIT);
        }
    }

    /** How long nobody else asks: longer than a question may take, and the settlement of its answer. */
    Duration lease() {
        return timeout.multipliedBy(2).plusMinutes(1);
    }

    /** The delay after question number {@code number}: doubled each time, at most {@code maxBackoff}. */
    Duration backoffFor(int number) {
        Duration delay = initialBackoff;
        for (int asked = 1; asked < number && delay.compareTo(maxBackoff) < 0; asked++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(maxBackoff) > 0 ? maxBackoff : delay;
    }

    /** Questions out to one destination on this node: so that one that hangs never starves the others. */
    int concurrencyOfDestination() {
        return (concurrency + 1) / 2;
    }
}
