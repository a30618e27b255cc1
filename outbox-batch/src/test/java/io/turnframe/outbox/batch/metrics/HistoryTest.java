package io.turnframe.outbox.batch.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Instant T0 = Instant.parse("2026-11-30T08:15:20Z");

    private final SetClock clock = new SetClock();
    private final History history = new History(clock);

    @Test
    void countsByMinuteAndOutcome() {
        history.settled("airline", Outcome.COMPLETED, null);
        history.settled("hotel", Outcome.COMPLETED, null);
        clock.now = T0.plusSeconds(60);
        history.settled("airline", Outcome.RETRIED, "airline.busy");
        history.settled("airline", Outcome.FAILED, "airline.full");
        history.settled("airline", Outcome.UNKNOWN, null);
        history.settled("airline", Outcome.UNSETTLED, null);

        LastHour hour = history.lastHour();
        assertThat(hour.minutes())
                .containsExactly(
                        new LastHour.Minute(Instant.parse("2026-11-30T08:15:00Z"), 2, 0, 0, 0, 0, 0, null, null),
                        new LastHour.Minute(Instant.parse("2026-11-30T08:16:00Z"), 0, 1, 1, 1, 1, 0, null, null));
        assertThat(hour.total())
                .isEqualTo(new LastHour.Minute(Instant.parse("2026-11-30T07:17:00Z"), 2, 1, 1, 1, 1, 0, null, null));
    }

    @Test
    void tellsHowLongSendsTookInAMinuteAndInTheHour() {
        for (int send = 0; send < 98; send++) {
            send(Duration.ofMillis(20));
        }
        clock.now = T0.plusSeconds(60);
        send(Duration.ofSeconds(30));
        send(Duration.ofDays(9));

        LastHour hour = history.lastHour();
        assertThat(hour.minutes().get(0).msP99()).isCloseTo(20, within(0.2));
        assertThat(hour.minutes().get(1).msP50()).isCloseTo(30_000, within(300.0));
        assertThat(hour.minutes().get(1).msP99()).isCloseTo(3_600_000, within(36_000.0));
        assertThat(hour.total().sends()).isEqualTo(100);
        assertThat(hour.total().msP50()).isCloseTo(20, within(0.2));
        assertThat(hour.total().msP99()).isCloseTo(30_000, within(300.0));
    }

    @Test
    void forgetsWhatIsOlderThanAnHourAndShowsQuietMinutes() {
        history.settled("airline", Outcome.COMPLETED, null);
        clock.now = T0.plus(Duration.ofMinutes(59));
        history.settled("airline", Outcome.FAILED, "airline.full");
        assertThat(history.lastHour().minutes()).hasSize(60);
        assertThat(history.lastHour().total().completed()).isEqualTo(1);

        clock.now = T0.plus(Duration.ofMinutes(60));
        assertThat(history.lastHour().minutes()).hasSize(60);
        assertThat(history.lastHour().total().completed()).isZero();
        assertThat(history.lastHour().total().failed()).isEqualTo(1);

        clock.now = T0.plus(Duration.ofDays(2));
        assertThat(history.lastHour().minutes())
                .hasSize(60)
                .allSatisfy(minute -> assertThat(minute.failed()).isZero());
    }

    @Test
    void goesOnFromAClockThatWasPutBack() {
        history.settled("airline", Outcome.COMPLETED, null);
        clock.now = T0.plusSeconds(60);
        history.settled("airline", Outcome.COMPLETED, null);
        clock.now = T0.minusSeconds(600);
        history.settled("airline", Outcome.FAILED, "airline.full");
        LastHour hour = history.lastHour();
        assertThat(hour.minutes()).extracting(LastHour.Minute::completed).containsExactly(2L);
        assertThat(hour.total().failed()).isEqualTo(1);

        clock.now = T0;
        assertThat(history.lastHour().minutes()).hasSize(11);
        assertThat(history.lastHour().total().completed()).isEqualTo(2);
    }

    @Test
    void showsTheLastHourAfterAClockThatWasADayAhead() {
        clock.now = T0.plus(Duration.ofDays(1));
        history.settled("airline", Outcome.COMPLETED, null);
        clock.now = T0.plusSeconds(60);
        history.settled("airline", Outcome.FAILED, "airline.full");
        assertThat(history.lastHour().minutes())
                .extracting(LastHour.Minute::failed)
                .containsExactly(0L, 1L);
        assertThat(history.lastHour().total().completed()).isEqualTo(1);
    }

    private void send(Duration latency) {
        history.sent("airline", latency, Dispatched.Kind.COMPLETED);
    }

    private static final class SetClock extends Clock {
        private Instant now = T0;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
