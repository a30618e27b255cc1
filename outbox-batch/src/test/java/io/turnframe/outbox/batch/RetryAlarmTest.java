package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetryAlarmTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMillis(100);

    private final AtomicLong clock = new AtomicLong(-5);
    private final List<Duration> timers = new ArrayList<>();
    private final RetryAlarm alarm = new RetryAlarm(clock::get, this::make);
    private boolean failing;

    @Test
    void makesATimerUnlessAnEarlierOneIsPending() {
        alarm.in(SECOND);
        alarm.in(SECOND);
        alarm.in(SECOND.plusMillis(1));
        assertThat(timers).containsExactly(SECOND);
        alarm.in(SOON);
        assertThat(timers).containsExactly(SECOND, SOON);
        alarm.fired();
        alarm.in(SECOND);
        assertThat(timers).containsExactly(SECOND, SOON, SECOND);
    }

    @Test
    void makesNoneThatIsNotWorthItsCost() {
        alarm.in(Duration.ZERO);
        assertThat(timers).containsExactly(Duration.ofMillis(10));
    }

    @Test
    void makesAnotherOnceTheTimeOfOneThatWasLostHasPassed() {
        alarm.in(SOON);
        clock.addAndGet(SOON.toNanos());
        alarm.in(SECOND);
        assertThat(timers).containsExactly(SOON, SECOND);
    }

    @Test
    void makesAnotherWhereTheServerCouldNotMakeOne() {
        failing = true;
        assertThatIllegalStateException().isThrownBy(() -> alarm.in(SOON));
        failing = false;
        alarm.in(SECOND);
        assertThat(timers).containsExactly(SECOND);
    }

    private void make(Duration delay) {
        if (failing) {
            throw new IllegalStateException("no timer");
        }
        timers.add(delay);
    }
}
