package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Pauses of 1, 4, 16 and then 60 s, by a clock that stands still unless moved. */
class BreakersTest {
    private static final Dispatched DOWN = Dispatched.unavailable("down");
    private static final Dispatched BUSY = Dispatched.retryable("busy");

    /** What the HTTP sender answers without a request. */
    private static final Dispatched NEVER_LEFT = Dispatched.permanent("turnframe.http.invalid_key");

    private final AtomicLong clock = new AtomicLong();
    private final Breakers breakers = new Breakers(clock::get);

    @Test
    void opensWhenSoManyEntriesInARowDidNotArrive() {
        assertThat(hear(DOWN)).isEmpty();
        assertThat(hear(BUSY)).isEmpty();
        assertThat(breakers.open()).isEmpty();
        assertThat(hear(DOWN)).contains(Duration.ofSeconds(1));
        assertThat(breakers.open()).containsExactly("d");
        assertThat(breakers.failing()).containsExactly("d");
        assertThat(breakers.isOpen("other")).isFalse();
    }

    @Test
    void staysClosedWhileSomeArriveOrAreRefused() {
        for (int i = 0; i < 10; i++) {
            hear(DOWN);
            hear(DOWN);
            hear(i % 2 == 0 ? Dispatched.completed() : Dispatched.permanent("refused"));
        }
        assertThat(breakers.failing()).isEmpty();
    }

    @Test
    void doesNotTakeARefusalThatNeverLeftForAnAnswerOfTheDestination() {
        hear(DOWN);
        hear(DOWN);
        assertThat(hear(NEVER_LEFT)).isEmpty();
        assertThat(hear(DOWN)).as("the third in a row").contains(Duration.ofSeconds(1));
        hear(NEVER_LEFT);
        assertThat(breakers.open()).containsExactly("d");
        pass();
        assertThat(hear(probe(), NEVER_LEFT)).isEmpty();
        assertThat(breakers.state("d")).contains(new Breakers.State("probing", "down", Duration.ZERO));
        assertThat(admitted()).as("another probe").isTrue();
    }

    @Test
    void doesNotTakeOneEntryForMany() {
        OutboxEntry one = RunFixture.send("d").entry();
        for (int i = 0; i < 10; i++) {
            assertThat(hear(RunFixture.send(one), DOWN)).isEmpty();
        }
    }

    @Test
    void staysClosedOnUnknownOutcomes() {
        for (int i = 0; i < 10; i++) {
            assertThat(hear(Dispatched.unknown())).isEmpty();
        }
    }

    @Test
    void staysClosedWhereItIsSwitchedOff() {
        for (int i = 0; i < 10; i++) {
            assertThat(breakers.heard(RunFixture.send("d"), DOWN, 0)).isEmpty();
        }
    }

    @Test
    void pausesLongerAfterEachProbeThatDidNotArrive() {
        open();
        for (int seconds : new int[] {4, 16, 60, 60}) {
            pass();
            assertThat(hear(probe(), DOWN)).contains(Duration.ofSeconds(seconds));
            assertThat(breakers.isOpen("d")).isTrue();
        }
    }

    @Test
    void pausesLongerAfterAProbeOfUnknownOutcome() {
        open();
        pass();
        assertThat(hear(probe(), Dispatched.unknown())).contains(Duration.ofSeconds(4));
        assertThat(breakers.state("d")).contains(new Breakers.State("open", null, Duration.ofSeconds(4)));
    }

    @Test
    void leavesThePauseAsItIsForAnswersToWhatWasOutBefore() {
        open();
        assertThat(hear(DOWN)).isEmpty();
        assertThat(hear(Dispatched.unknown())).isEmpty();
        assertThat(breakers.state("d")).contains(new Breakers.State("open", "down", Duration.ofSeconds(1)));
    }

    @Test
    void leavesItToTheProbeAlsoWhenWhatWasOutBeforeAnswersAfterThePause() {
        open();
        pass();
        assertThat(hear(DOWN)).isEmpty();
        assertThat(hear(Dispatched.unknown())).isEmpty();
        Send probe = probe();
        assertThat(hear(RunFixture.send(probe.entry()), DOWN))
                .as("of an earlier attempt")
                .isEmpty();
        assertThat(hear(Dispatched.unknown())).isEmpty();
        assertThat(breakers.state("d")).contains(new Breakers.State("probing", "down", Duration.ZERO));
        assertThat(hear(probe, DOWN)).contains(Duration.ofSeconds(4));
        pass();
        assertThat(hear(probe, DOWN)).as("once more, late").isEmpty();
    }

    @Test
    void closesAlsoWhenWhatWasOutBeforeArrives() {
        open();
        hear(Dispatched.completed());
        assertThat(breakers.failing()).isEmpty();
        open();
        pass();
        Send probe = probe();
        hear(Dispatched.permanent("refused"));
        assertThat(breakers.failing()).isEmpty();
        assertThat(hear(probe, Dispatched.unknown())).as("no probe any more").isEmpty();
    }

    @Test
    void admitsAllWhileItIsClosedNoneWithinThePauseAndOneAfterIt() {
        assertThat(admitted()).isTrue();
        assertThat(admitted()).isTrue();
        open();
        assertThat(admitted()).isFalse();
        pass();
        assertThat(admitted()).isTrue();
        assertThat(admitted()).isFalse();
    }

    @Test
    void knowsWhetherAProbeIsOut() {
        open();
        pass();
        Send probe = probe();
        assertThat(breakers.isProbed("d")).isTrue();
        hear(probe, DOWN);
        assertThat(breakers.isProbed("d")).isFalse();
        pass();
        breakers.withdraw(probe());
        assertThat(breakers.isProbed("d")).isFalse();
        hear(probe(), Dispatched.completed());
        assertThat(breakers.isProbed("d")).isFalse();
    }

    @Test
    void admitsAnotherOnceTheProbeIsWithdrawn() {
        open();
        pass();
        Send probe = probe();
        breakers.withdraw(RunFixture.send("d"));
        assertThat(admitted()).as("another was withdrawn").isFalse();
        breakers.withdraw(probe);
        assertThat(admitted()).isTrue();
    }

    @Test
    void showsThatItProbesAfterThePause() {
        open();
        pass();
        assertThat(breakers.isProbed("d")).isFalse();
        assertThat(breakers.probing()).containsExactly("d");
        assertThat(breakers.open()).isEmpty();
        assertThat(breakers.state("d")).contains(new Breakers.State("probing", "down", Duration.ZERO));
    }

    @Test
    void closesAsSoonAsOneArrivesAndBeginsWithAShortPauseAgain() {
        open();
        pass();
        hear(probe(), DOWN);
        pass();
        hear(probe(), Dispatched.completed());
        assertThat(breakers.failing()).isEmpty();
        assertThat(breakers.state("d")).isEmpty();
        open();
    }

    @Test
    void showsNoCodeThatIsNone() {
        Dispatched odd = Dispatched.retryable("the card 4711\nwas refused");
        hear(odd);
        hear(odd);
        hear(odd);
        assertThat(breakers.state("d").orElseThrow().code()).isEqualTo(Verdict.INVALID_CODE);
    }

    private void open() {
        hear(DOWN);
        hear(DOWN);
        assertThat(hear(DOWN)).contains(Duration.ofSeconds(1));
    }

    /** The pause, to its end. */
    private void pass() {
        clock.addAndGet(breakers.state("d").orElseThrow().probeIn().toNanos());
    }

    /** What is sent after the pause. */
    private Send probe() {
        Send probe = RunFixture.send("d");
        assertThat(breakers.admit(probe)).isTrue();
        return probe;
    }

    private boolean admitted() {
        return breakers.admit(RunFixture.send("d"));
    }

    /** Of a send that was out before. */
    private Optional<Duration> hear(Dispatched answer) {
        return hear(RunFixture.send("d"), answer);
    }

    private Optional<Duration> hear(Send send, Dispatched answer) {
        return breakers.heard(send, answer, 3);
    }
}
