package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of the claimed rows may be sent now. */
class IntakeTest extends RunFixture {
    private static final String HALF = "\"" + "x".repeat(CLAIM_BYTES / 2) + "\"";

    private final List<Send> unsettled = new ArrayList<>();
    private Intake intake;
    private UUID neighbour;
    private UUID suspect;

    @BeforeEach
    void claim() {
        senders.put("d", entry -> Dispatched.completed());
        senders.put("suspect", entry -> Dispatched.completed());
        intake = new Intake(parts(), CONFIG, run(), unsettled::addAll);
        neighbour = store.add("d", 1);
    }

    @Test
    void startsNothingBesideASuspect() {
        suspect = store.add("suspect", 1, 1);
        assertThat(intake.claim()).isTrue();
        List<Send> out = intake.sendable(List.of());
        assertThat(out).extracting(Send::id).as("it goes first").containsExactly(suspect);
        assertThat(intake.sendable(out)).isEmpty();
        assertThat(intake.isEmpty()).as("the neighbour waits").isFalse();
        assertThat(intake.sendable(List.of())).extracting(Send::id).containsExactly(neighbour);
    }

    @Test
    void startsASuspectOnlyOnceNothingElseIsOut() {
        assertThat(intake.claim()).isTrue();
        List<Send> out = intake.sendable(List.of());
        assertThat(out).extracting(Send::id).containsExactly(neighbour);
        suspect = store.add("suspect", 1, 1);
        store.add("d", 1);
        assertThat(intake.claim()).isTrue();
        assertThat(intake.sendable(out))
                .as("nor anything that would go before it")
                .isEmpty();
        assertThat(intake.sendable(List.of())).extracting(Send::id).containsExactly(suspect);
    }

    @Test
    void startsOneSuspectAtATime() {
        store.add("suspect", 1, 1);
        store.add("suspect", 1, 1);
        assertThat(intake.claim()).isTrue();
        List<Send> out = intake.sendable(List.of());
        assertThat(out).hasSize(1).allMatch(Send::isSuspect);
        assertThat(intake.sendable(out)).isEmpty();
        assertThat(intake.sendable(List.of())).hasSize(1).allMatch(Send::isSuspect);
    }

    @Test
    void claimsNoMoreWhileAClaimsBytesWait() {
        store.queue.clear();
        store.add("d", HALF, 1, 0);
        store.add("d", HALF, 1, 0);
        assertThat(intake.claim()).isTrue();
        store.add("d", 1);
        assertThat(intake.claim()).isFalse();
        assertThat(store.queue).hasSize(1);
    }

    @Test
    void letsNoBytesOfASlowDestinationKeepOthersAway() {
        caps.put("slow", 1);
        senders.put("slow", entry -> Dispatched.completed());
        store.queue.clear();
        store.add("slow", "{}", 1, 0);
        UUID one = store.add("slow", HALF, 1, 0);
        UUID other = store.add("slow", HALF, 1, 0);
        assertThat(intake.claim()).isTrue();
        assertThat(intake.sendable(List.of())).as("one goes, two wait").hasSize(1);
        neighbour = store.add("d", 1);
        assertThat(intake.claim()).isTrue();
        assertThat(store.givenBack).contains(one, other);
        assertThat(intake.sendable(List.of())).extracting(Send::id).containsExactly(neighbour);
    }
}
