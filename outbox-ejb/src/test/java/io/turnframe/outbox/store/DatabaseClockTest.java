package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DatabaseClockTest {
    private static final Instant T0 = Instant.parse("2026-07-01T12:00:00.123456Z");

    private Instant database = T0;
    private long nanos = Long.MAX_VALUE - 10;
    private long millis = 1_000_000;
    private Duration roundTrip = Duration.ZERO;
    private int questions;

    private final DatabaseClock clock = new DatabaseClock(() -> nanos, () -> millis);

    @Test
    void countsOnFromWhatTheDatabaseSaid() {
        assertThat(clock.now(this::question)).isEqualTo(T0);
        pass(Duration.ofMillis(999));
        database = Instant.EPOCH;
        assertThat(clock.now(this::question)).isEqualTo(T0.plusMillis(999));
        assertThat(questions).isEqualTo(1);
    }

    @Test
    void saysMicroseconds() {
        clock.now(this::question);
        pass(Duration.ofNanos(1_999));
        assertThat(clock.now(this::question)).isEqualTo(T0.plusNanos(1_000));
    }

    @Test
    void asksAgainAfterASecond() {
        clock.now(this::question);
        pass(Duration.ofSeconds(1));
        // The database's clock was set back meanwhile.
        database = T0.minusSeconds(600);
        assertThat(clock.now(this::question)).isEqualTo(T0.minusSeconds(600));
    }

    @Test
    void goesOnFromWhatWasAskedForInBetween() {
        clock.now(this::question);
        pass(Duration.ofMillis(500));
        database = T0.plusSeconds(7);
        assertThat(clock.ask(this::question)).isEqualTo(T0.plusSeconds(7));
        pass(Duration.ofMillis(800));
        assertThat(clock.now(this::question)).isEqualTo(T0.plusSeconds(7).plusMillis(800));
    }

    @Test
    void isNeverAheadHoweverLongTheAnswerTook() {
        roundTrip = Duration.ofMillis(4);
        assertThat(clock.now(this::question)).isEqualTo(T0);
        assertThat(clock.now(this::question)).isEqualTo(T0);
    }

    @Test
    void goesOnFromNoSlowAnswer() {
        roundTrip = Duration.ofMillis(5);
        clock.now(this::question);
        database = T0.plusMillis(1);
        assertThat(clock.now(this::question)).isEqualTo(T0.plusMillis(1));
        assertThat(questions).isEqualTo(2);
    }

    @Test
    void asksAgainWhereTheMonotonicClockStoodStill() {
        clock.now(this::question);
        millis += 50;
        database = T0.plusSeconds(3600);
        assertThat(clock.now(this::question)).isEqualTo(T0.plusSeconds(3600));
    }

    @Test
    void countsOnForAsLongAsATransactionGoes() {
        clock.now(this::question);
        pass(Duration.ofSeconds(20));
        // What the transaction is told: when it began.
        assertThat(clock.later(this::question)).isEqualTo(T0.plusSeconds(20));
        database = T0.plusSeconds(20);
        assertThat(clock.now(this::question)).isEqualTo(T0.plusSeconds(20));
    }

    @Test
    void goesOnFromNothingThatATransactionWasToldOnItsWay() {
        assertThat(clock.later(this::question)).isEqualTo(T0);
        pass(Duration.ofMillis(1));
        database = T0.plusSeconds(20);
        assertThat(clock.now(this::question)).isEqualTo(T0.plusSeconds(20));
    }

    private Instant question() {
        questions++;
        pass(roundTrip);
        return database;
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        millis += time.toMillis();
    }
}
