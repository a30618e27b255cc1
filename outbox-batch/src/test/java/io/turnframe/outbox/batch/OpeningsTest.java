package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.store.DestinationScope;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That the timer asks about the destinations of which a run claims, and no others: else it starts runs in vain. */
class OpeningsTest extends RunFixture {
    private final Openings openings = new Openings(new FakeSenders(), slots, breakers, CONFIG.concurrency());

    @BeforeEach
    void configure() {
        senders.put("airline", entry -> Dispatched.completed());
        senders.put("hotel", entry -> Dispatched.completed());
    }

    @Test
    void isAboutAllWhileNothingIsSaid() {
        assertAll(Controls.Said.NOTHING, DestinationScope.ALL);
    }

    @Test
    void isAboutTheListedOnesAloneOnceOneIsLimited() {
        assertAll(limited("airline"), DestinationScope.only(Set.of("airline", "hotel")));
        store.add("unlisted", 1);
        said = limited("airline");
        drive(run());
        assertThat(store.claimed).isEmpty();
    }

    @Test
    void isAboutTheLimitedOnesWhereThereAreNoOthers() {
        assertAll(limited("airline", "hotel"), DestinationScope.only(Set.of("airline", "hotel")));
    }

    @Test
    void isAboutAFailingOneOnceItIsTriedAgain() {
        breakers.heard(send("airline"), Dispatched.retryable("busy"), 1);
        assertAll(Controls.Said.NOTHING, DestinationScope.only(Set.of("hotel")));
        clock.addAndGet(CONFIG.backoffFor(1).toNanos());
        assertThat(openings.probing(Controls.Said.NOTHING)).containsExactly("airline");
        assertAll(Controls.Said.NOTHING, DestinationScope.only(Set.of("airline", "hotel")));
    }

    @Test
    void isNotAboutAFailingOneWhileTheOneThatTriesItIsOut() {
        slots.tryTake("airline", CONFIG.concurrency(), 8);
        breakers.heard(send("airline"), Dispatched.retryable("busy"), 1);
        clock.addAndGet(CONFIG.backoffFor(1).toNanos());
        assertThat(openings.isCapped("airline")).as("by one from before").isFalse();
        assertThat(openings.tryTake(send("airline"))).isTrue();
        assertThat(openings.isCapped("airline")).isTrue();
        assertThat(openings.tryTake(send("airline"))).isFalse();
        assertAll(Controls.Said.NOTHING, DestinationScope.only(Set.of("hotel")));
    }

    @Test
    void takesNothingOfADestinationWhoseSlotsAreTaken() {
        for (int i = 0; i < 8; i++) {
            assertThat(openings.tryTake(send("airline"))).isTrue();
        }
        breakers.heard(send("airline"), Dispatched.retryable("busy"), 1);
        clock.addAndGet(CONFIG.backoffFor(1).toNanos());
        assertThat(openings.tryTake(send("airline"))).isFalse();
        assertThat(openings.isCapped("airline")).isTrue();
        slots.free("airline");
        assertThat(openings.tryTake(send("airline"))).isTrue();
    }

    @Test
    void leavesOutWhatIsHeld() {
        assertAll(
                new Controls.Said(false, Set.of("hotel"), Set.of("airline")), DestinationScope.only(Set.of("airline")));
        assertThat(openings.all(new Controls.Said(false, Set.of("airline", "hotel"), Set.of())))
                .isEmpty();
    }

    @Test
    void isAboutAllButTheClosedOnesWhereManyAreListed() {
        for (int i = 0; i <= Openings.FEW; i++) {
            senders.put("x" + i, entry -> Dispatched.completed());
        }
        assertAll(limited("airline"), DestinationScope.ALL);
        assertAll(
                new Controls.Said(false, Set.of("hotel"), Set.of("airline")), DestinationScope.except(Set.of("hotel")));
    }

    private static Controls.Said limited(String... names) {
        return new Controls.Said(false, Set.of(), Set.of(names));
    }

    private void assertAll(Controls.Said said, DestinationScope expected) {
        assertThat(openings.all(said)).contains(expected);
        if (!expected.exclusive()) {
            Set<String> claimedFrom = new HashSet<>(openings.limited(said));
            claimedFrom.addAll(openings.probing(said));
            openings.others(said).ifPresent(others -> claimedFrom.addAll(others.destinations()));
            assertThat(claimedFrom).isEqualTo(expected.destinations());
        }
    }
}
