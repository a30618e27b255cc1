package io.turnframe.outbox.store;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The last statistics that this node counted. They are counted again after a second at the earliest, and so seldom that
 * counting takes a tenth of the time, or after a minute: however many pages ask, a large table is not counted all the time.
 */
@ApplicationScoped
public class StatsCache {
    private static final long SHORTEST = TimeUnit.SECONDS.toNanos(1);

    /** However long a count took, nobody is shown one that is older. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    /** How much longer statistics are kept than they took to count. */
    private static final int FACTOR = 9;

    private final LongSupplier nanos;

    /** Null until the first are counted. */
    private OutboxStats last;

    private long keepUntil;

    /** Of the last count; null if it did not fail. */
    private RuntimeException failure;

    private long failedAt;

    public StatsCache() {
        this(System::nanoTime);
    }

    /** @param nanos as {@link System#nanoTime} */
    StatsCache(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Who asks while another's {@code count} runs waits for it, and shares what it found, or how it failed: else all who
     * wait would try in turn a database that is away.
     */
    OutboxStats get(Supplier<OutboxStats> count) {
        return get(count, nanos.getAsLong());
    }

    private synchronized OutboxStats get(Supplier<OutboxStats> count, long asked) {
        long before = nanos.getAsLong();
        if (last != null && before - keepUntil < 0) {
            return last;
        }
        if (failure != null && failedAt - asked > 0) {
            throw failure;
        }
        try {
            last = count.get();
        } catch (RuntimeException failed) {
            failure = failed;
            failedAt = nanos.getAsLong();
            throw failed;
        }
        failure = null;
        long counted = nanos.getAsLong();
        keepUntil = counted + Math.min(LONGEST, Math.max(SHORTEST, FACTOR * (counted - before)));
        return last;
    }
}
