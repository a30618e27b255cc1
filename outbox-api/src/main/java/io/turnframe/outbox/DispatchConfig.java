package io.turnframe.outbox;

import java.time.Duration;

/**
 * How the dispatcher works. Every component is checked; the message of the exception names the component and the value.
 *
 * @param workerId who claims; distinct for each node, 1 to {@value OutboxWriter#MAX_WORKER_ID} characters
 * @param batchSize rows a claim takes at most, 1 to {@value OutboxWriter#MAX_CLAIM}
 * @param sendTimeout the deadline of one send; an answer that comes later counts as unknown
 * @param initialBackoff the delay before the second attempt
 * @param maxBackoff the longest delay
 * @param backoffMultiplier how much the delay grows with each attempt, 1 to 100
 * @param maxAttempts attempts an entry gets before a retryable answer becomes a failure, at least 1
 * @param concurrency sends in flight on this node, 1 to {@value #MAX_CONCURRENCY}
 * @param claimTimeout the age at which a claim counts as abandoned, at least twice {@code sendTimeout}
 * @param jitter the share of a delay that is added or taken at random, 0 to 1
 */
public record DispatchConfig(
        String workerId,
        int batchSize,
        Duration sendTimeout,
        Duration initialBackoff,
        Duration maxBackoff,
        int backoffMultiplier,
        int maxAttempts,
        int concurrency,
        Duration claimTimeout,
        double jitter) {
    /** As many sends as the managed executor of the dispatcher can run at once. */
    public static final int MAX_CONCURRENCY = 256;

    private static final Duration LONGEST = Duration.ofDays(365);

    /** @throws IllegalArgumentException naming the component and the value */
    public DispatchConfig {
        try {
            EntryRules.text("workerId", workerId, OutboxWriter.MAX_WORKER_ID);
        } catch (InvalidRecordException unusable) {
            throw refuse(
                    "workerId",
                    workerId,
                    "must have 1 to " + OutboxWriter.MAX_WORKER_ID + " characters, none of them a control character");
        }
        between("batchSize", batchSize, 1, OutboxWriter.MAX_CLAIM);
        positive("sendTimeout", sendTimeout);
        positive("initialBackoff", initialBackoff);
        positive("maxBackoff", maxBackoff);
        if (maxBackoff.compareTo(initialBackoff) < 0) {
            throw refuse("maxBackoff", maxBackoff, "must not be shorter than initialBackoff " + initialBackoff);
        }
        between("backoffMultiplier", backoffMultiplier, 1, 100);
        between("maxAttempts", maxAttempts, 1, Integer.MAX_VALUE);
        between("concurrency", concurrency, 1, MAX_CONCURRENCY);
        positive("claimTimeout", claimTimeout);
        if (claimTimeout.compareTo(sendTimeout.multipliedBy(2)) < 0) {
            throw refuse("claimTimeout", claimTimeout, "must be at least twice sendTimeout " + sendTimeout);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw refuse("jitter", jitter, "must lie between 0 and 1");
        }
    }

    /** The defaults: 16 rows, 30 s a send, 1 s of back-off growing by 4 up to 60 s, 5 attempts, 16 sends at once, 120 s. */
    public static DispatchConfig defaults(String workerId) {
        return new DispatchConfig(
                workerId,
                16,
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                4,
                5,
                16,
                Duration.ofSeconds(120),
                0);
    }

    /**
     * The delay after attempt number {@code attempt}, without jitter: {@code initialBackoff} for 1 and below, then
     * growing by {@code backoffMultiplier}, at most {@code maxBackoff}.
     */
    public Duration backoffFor(int attempt) {
        Duration delay = initialBackoff;
        // A multiplier of 1 never grows: without this bound the loop would run as long as the attempt says.
        for (int step = 1; step < attempt && backoffMultiplier > 1; step++) {
            if (delay.compareTo(maxBackoff.dividedBy(backoffMultiplier)) > 0) {
                return maxBackoff;
            }
            delay = delay.multipliedBy(backoffMultiplier);
        }
        return delay;
    }

    private static void between(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw refuse(name, value, "must lie between " + min + " and " + max);
        }
    }

    private static void positive(String name, Duration value) {
        if (value == null || value.isZero() || value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw refuse(name, value, "must be positive and at most " + LONGEST.toDays() + " days");
        }
    }

    private static IllegalArgumentException refuse(String name, Object value, String rule) {
        return new IllegalArgumentException(name + " is " + value + " but " + rule);
    }
}
