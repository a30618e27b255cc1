package io.turnframe.outbox.batch.metrics;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.batch.DispatchSettings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The last hour of this node, minute by minute, in memory: for a page that has no monitor behind it. A minute in which
 * nothing happened takes no room, one in which something did about 30 KB at most.
 */
@ApplicationScoped
public class History implements OutboxObserver {
    /** So many minutes are kept, the present one with them. */
    static final int MINUTES = 60;

    private final Clock clock;
    private Instant begun;

    /** Those in which something happened, oldest first. */
    private final Deque<Minute> minutes = new ArrayDeque<>();

    @Inject
    private DispatchSettings settings;

    /** By the clock of the node, by which a person reads it. */
    public History() {
        this(Clock.systemUTC());
    }

    History(Clock clock) {
        this.clock = clock;
        this.begun = minute(clock.instant());
    }

    @Override
    public synchronized void sent(String destination, Duration latency, Dispatched.Kind answer) {
        now().sent(latency);
    }

    @Override
    public synchronized void settled(String destination, Outcome outcome, String code) {
        now().settled(outcome);
    }

    /** The worker that this node is. */
    public String workerId() {
        return settings.config().workerId();
    }

    /** The last hour, or as much of it as has gone by since this node first sent or was first asked. */
    public synchronized LastHour lastHour() {
        Instant present = minute(clock.instant());
        turnTo(present);
        Minute hour = new Minute(oldest(present));
        List<LastHour.Minute> shown = new ArrayList<>();
        Deque<Minute> left = new ArrayDeque<>(minutes);
        for (Instant from = later(begun, oldest(present));
                !from.isAfter(present);
                from = from.plus(1, ChronoUnit.MINUTES)) {
            Minute minute =
                    !left.isEmpty() && left.getFirst().from().equals(from) ? left.removeFirst() : new Minute(from);
            shown.add(minute.view());
            hour.add(minute);
        }
        return new LastHour(hour.view(), shown);
    }

    private Minute now() {
        Instant present = minute(clock.instant());
        turnTo(present);
        return at(present);
    }

    /** Forgets what is too old. After a clock that was ahead, what it counted there counts for the present minute. */
    private void turnTo(Instant present) {
        while (!minutes.isEmpty() && minutes.getFirst().from().isBefore(oldest(present))) {
            minutes.removeFirst();
        }
        while (!minutes.isEmpty() && minutes.getLast().from().isAfter(present)) {
            Minute ahead = minutes.removeLast();
            at(present).add(ahead);
        }
        begun = begun.isAfter(present) ? present : begun;
    }

    private Minute at(Instant present) {
        if (minutes.isEmpty() || minutes.getLast().from().isBefore(present)) {
            minutes.addLast(new Minute(present));
        }
        return minutes.getLast();
    }

    private static Instant oldest(Instant present) {
        return present.minus(MINUTES - 1L, ChronoUnit.MINUTES);
    }

    private static Instant minute(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MINUTES);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
