package io.turnframe.outbox.store;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The last statistics that this node counted. They are counted again after a second at the earliest, and so seldom that
 * counting takes a tenth of the time: however many pages ask, a large table is not counted all the time.
 */
@ApplicationScoped
public class StatsCache {
    private static final long SHORTEST = TimeUnit.SECONDS.toNanos(1);

    /** How much longer statistics are kept than they took to count. */
    private static final int FACTOR = 9;

    private final LongSupplier nanos;

    /** Null until the first are counted. */
    private OutboxStats last;

    private long keepUntil;

    public StatsCache() {
        this(System::nanoTime);
    }

    /** @param nanos as {@link System#nanoTime} */
    StatsCache(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Who asks while another's {@code count} runs waits for it, and shares what it found. */
    synchronized OutboxStats get(Supplier<OutboxStats> count) {
        long before = nanos.getAsLong();
        if (last == null || before - keepUntil >= 0) {
            last = count.get();
            long counted = nanos.getAsLong();
            keepUntil = counted + Math.max(SHORTEST, FACTOR * (counted - before));
        }
        return last;
    }
}
