package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.ConfigValues;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What a destination has of its own of the dispatcher's configuration. Each is null where it has what the run has; see
 * {@link DispatchConfig} for their meaning.
 */
record SendOverrides(
        Duration sendTimeout,
        Duration initialBackoff,
        Duration maxBackoff,
        Integer backoffMultiplier,
        Integer maxAttempts,
        Double jitter) {
    private static final SendOverrides NONE = new SendOverrides(null, null, null, null, null, null);

    /** @throws IllegalArgumentException naming key, value and remedy */
    static SendOverrides read(String prefix, ConfigValues values) {
        return new SendOverrides(
                values.duration(prefix + "send-timeout", null),
                values.duration(prefix + "initial-backoff", null),
                values.duration(prefix + "max-backoff", null),
                values.integer(prefix + "backoff-multiplier", null),
                values.integer(prefix + "max-attempts", null),
                values.decimal(prefix + "jitter", null));
    }

    /**
     * Lays them over {@code run}.
     *
     * @param prefix of the destination's keys, for the message
     * @throws IllegalArgumentException naming key, value and remedy, if the two do not go together
     */
    DispatchConfig over(DispatchConfig run, String prefix) {
        if (NONE.equals(this)) {
            return run;
        }
        if (sendTimeout != null && sendTimeout.compareTo(run.claimTimeout().dividedBy(2)) > 0) {
            throw new IllegalArgumentException(prefix + "send-timeout is " + sendTimeout
                    + " but must be at most half of claim-timeout " + run.claimTimeout());
        }
        if (initialBackoff != null && maxBackoff == null && initialBackoff.compareTo(run.maxBackoff()) > 0) {
            throw new IllegalArgumentException(prefix + "initial-backoff is " + initialBackoff
                    + " but must not exceed max-backoff " + run.maxBackoff() + "; set " + prefix + "max-backoff too");
        }
        if (maxBackoff != null && initialBackoff == null && maxBackoff.compareTo(run.initialBackoff()) < 0) {
            throw new IllegalArgumentException(prefix + "max-backoff is " + maxBackoff
                    + " but must not be shorter than initial-backoff " + run.initialBackoff() + "; set " + prefix
                    + "initial-backoff too");
        }
        try {
            return new DispatchConfig(
                    run.workerId(),
                    run.batchSize(),
                    or(sendTimeout, run.sendTimeout()),
                    or(initialBackoff, run.initialBackoff()),
                    or(maxBackoff, run.maxBackoff()),
                    or(backoffMultiplier, run.backoffMultiplier()),
                    or(maxAttempts, run.maxAttempts()),
                    run.concurrency(),
                    run.claimTimeout(),
                    or(jitter, run.jitter()));
        } catch (IllegalArgumentException bad) {
            throw new IllegalArgumentException(
                    DispatchSettings.named(prefix, bad.getMessage(), UnaryOperator.identity()));
        }
    }

    private static <T> T or(T own, T runs) {
        return own == null ? runs : own;
    }
}
