package io.turnframe.outbox.batch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The one pending one-shot timer: the earliest that was asked for. One that is lost, since the server could not make it or
 * dropped it, is forgotten as soon as its time has passed.
 */
final class RetryAlarm {
    private static final long NONE = Long.MAX_VALUE;

    /** A timer sooner than this is not worth its cost. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private final LongSupplier ticker;
    private final Consumer<Duration> timer;

    /** When the pending timer fires, by the ticker. */
    private final AtomicLong pending = new AtomicLong(NONE);

    /**
     * @param ticker monotonic nanoseconds
     * @param timer makes a timer that fires once, so long from now
     */
    RetryAlarm(LongSupplier ticker, Consumer<Duration> timer) {
        this.ticker = ticker;
        this.timer = timer;
    }

    /** Sees to it that a timer fires so long from now, or before. */
    void in(Duration delay) {
        Duration wait = delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay;
        long now = ticker.getAsLong();
        long at = now + wait.toNanos();
        long before;
        do {
            before = pending.get();
            if (before != NONE && before - now > 0 && before - at <= 0) {
                return;
            }
        } while (!pending.compareAndSet(before, at));
        try {
            timer.accept(wait);
        } catch (RuntimeException notMade) {
            pending.compareAndSet(at, NONE);
            throw notMade;
        }
    }

    /** A timer has fired. */
    void fired() {
        pending.set(NONE);
    }
}
