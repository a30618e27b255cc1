package io.turnframe.outbox.store;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The database's time, without a question to it each time: what it said last, a second ago at most, and what this node's
 * monotonic clock has counted since. So it lags by no more than half a round trip, and is never ahead.
 */
@ApplicationScoped
public class DatabaseClock {
    private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

    /** An answer that took longer tells too little of when it was given to go on from. */
    private static final long QUICK = TimeUnit.MILLISECONDS.toNanos(5);

    /** A monotonic clock may stand still with its machine, while the node's other one does not. */
    private static final long APART = TimeUnit.MILLISECONDS.toNanos(50);

    private final LongSupplier nanos;
    private final LongSupplier millis;

    /** Null until there is one. */
    private volatile Answer last;

    private record Answer(Instant time, long nanos, long millis) {}

    public DatabaseClock() {
        this(System::nanoTime, System::currentTimeMillis);
    }

    /**
     * @param nanos as {@link System#nanoTime}
     * @param millis as {@link System#currentTimeMillis}
     */
    DatabaseClock(LongSupplier nanos, LongSupplier millis) {
        this.nanos = nanos;
        this.millis = millis;
    }

    /**
     * To the microsecond.
     *
     * @param question asks the database for its time
     */
    Instant now(Supplier<Instant> question) {
        Answer answer = last;
        if (answer != null) {
            long elapsed = nanos.getAsLong() - answer.nanos;
            long walled = TimeUnit.MILLISECONDS.toNanos(millis.getAsLong() - answer.millis);
            if (elapsed < FRESH && Math.abs(walled - elapsed) < APART) {
                return after(answer, elapsed);
            }
        }
        return ask(question);
    }

    /**
     * As {@link #now}, in a transaction that has been going for a while: to some databases its whole length is one instant. So
     * it counts on from the last answer, however old, and from what such a transaction is told nobody goes on.
     */
    Instant later(Supplier<Instant> question) {
        Answer answer = last;
        return answer == null ? question.get() : after(answer, nanos.getAsLong() - answer.nanos);
    }

    private static Instant after(Answer answer, long elapsed) {
        return answer.time.plus(Duration.ofNanos(elapsed)).truncatedTo(ChronoUnit.MICROS);
    }

    /** The same, asked for now; {@link #now} goes on from it. Not to be asked in a transaction that has been going for a while. */
    Instant ask(Supplier<Instant> question) {
        long asked = nanos.getAsLong();
        Instant time = question.get();
        long answered = nanos.getAsLong();
        last = answered - asked < QUICK ? new Answer(time, answered, millis.getAsLong()) : null;
        return time;
    }
}
