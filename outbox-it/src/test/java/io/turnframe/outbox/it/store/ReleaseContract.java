package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.QueueState;
import io.turnframe.outbox.store.Released;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Release: what an abandoned claim leaves behind; and what a timer is told. */
interface ReleaseContract extends StoreFixture {
    @Test
    default void releasesAClaimTakenStrictlyBefore() {
        UUID id = dispatching();
        assertThat(store().releaseExpiredClaims(T0)).isEmpty();
        assertThat(status(id)).isEqualTo(OutboxStatus.DISPATCHING);
        assertThat(store().releaseExpiredClaims(T0.plusNanos(1_000))).containsExactly(id);
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
        assertThat(record(id).claim()).isNull();
        assertThat(record(id).entry().nextAttemptAt()).isNull();
        assertThat(record(id).entry().attemptCount()).isEqualTo(1);
    }

    @Test
    default void makesAReleasedEntryDueAtOnceThoughItWasDelayed() {
        UUID id = enqueue(entry().toBuilder().nextAttemptAt(T0).build());
        claimAgain(id);
        store().releaseExpiredClaims(FAR);
        assertThat(record(id).entry().nextAttemptAt()).isNull();
        assertThat(store().claimDue(T0.minusSeconds(60), 10, WORKER)).hasSize(1);
    }

    @Test
    default void releasesNothingButClaims() {
        UUID completed = completed();
        UUID failed = failed();
        UUID unknown = unknown();
        UUID pending = pending();
        List<Object> before = List.of(stored(completed), stored(failed), stored(unknown), stored(pending));
        assertThat(store().releaseExpiredClaims(FAR)).isEmpty();
        assertThat(List.of(stored(completed), stored(failed), stored(unknown), stored(pending)))
                .isEqualTo(before);
    }

    @Test
    default void answersTheReleasedIdsSorted() {
        UUID low = new UUID(0x7000_0000_0000_0000L, 1);
        UUID high = new UUID(0x8000_0000_0000_0000L, 1);
        UUID middle = new UUID(0x7000_0000_0000_0000L, 2);
        UUID token = UUID.randomUUID();
        enqueue(entry().toBuilder().outboxId(high).build());
        enqueue(entry().toBuilder().outboxId(low).build());
        enqueue(entry().toBuilder().outboxId(middle).build());
        claim(token);
        store().markSendStarted(token, List.of(middle));
        assertThat(store().releaseExpiredClaims(FAR)).containsExactly(low, middle, high);
    }

    @Test
    default void setsAnEntryWhoseSendHadStartedToUnknown() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        store().markSendStarted(token, List.of(id));
        assertThat(store().releaseExpiredClaims(FAR)).containsExactly(id);
        assertThat(status(id)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(record(id).claim()).isNull();
        assertThat(claim(UUID.randomUUID())).isEmpty();
    }

    @Test
    default void refusesToReleaseWithoutATime() {
        assertInvalid(() -> store().releaseExpiredClaims(null));
        assertInvalid(() -> store().releaseExpiredClaims(Instant.MAX));
    }

    // the dispatcher's release, by the age of a claim

    @Test
    default void releasesClaimsOlderThanTheAge() {
        UUID id = claimed(UUID.randomUUID());
        assertThat(store().releaseAbandoned(Duration.ofHours(1), Set.of()).isEmpty())
                .isTrue();
        assertThat(status(id)).isEqualTo(OutboxStatus.DISPATCHING);
        assertThat(store().releaseAbandoned(Duration.ZERO, Set.of())).isEqualTo(new Released(List.of(id), List.of()));
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    default void tellsRowsThatMayHaveBeenSentFromThoseThatWereNot() {
        UUID token = UUID.randomUUID();
        UUID unmarked = pending();
        UUID marked = pending();
        assertThat(claim(token)).hasSize(2);
        store().markSendStarted(token, List.of(marked));
        assertThat(store().releaseAbandoned(Duration.ZERO, Set.of("hotel")))
                .isEqualTo(new Released(List.of(unmarked), List.of(marked)));
        assertThat(status(unmarked)).isEqualTo(OutboxStatus.PENDING);
        assertThat(status(marked)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    @Test
    default void doesNotCountReleasedClaimsAgainstTheBudget() {
        UUID id = pending();
        for (int attempt = 1; attempt <= 4; attempt++) {
            ClaimedEntry claimed = claim(UUID.randomUUID()).get(0);
            assertThat(claimed.entry().attemptCount()).isEqualTo(attempt);
            assertThat(claimed.budgetUsed()).isEqualTo(1);
            assertThat(claimed.abandonedCount()).isZero();
            assertThat(store().releaseAbandoned(Duration.ZERO, Set.of()).pending())
                    .containsExactly(id);
        }
    }

    /** A deduplicating destination is not marked: each abandoned claim may have been sent. */
    @Test
    default void setsAnEntryOfADeduplicatingDestinationAsideTheThirdTimeItsNodeDied() {
        UUID id = pending();
        for (int died = 0; died < 2; died++) {
            assertThat(claimUnmarked("airline").get(0).abandonedCount()).isEqualTo(died);
            assertThat(store().releaseAbandoned(Duration.ZERO, Set.of("airline")))
                    .isEqualTo(new Released(List.of(id), List.of()));
        }
        assertThat(claimUnmarked("airline").get(0).abandonedCount()).isEqualTo(2);
        assertThat(store().releaseAbandoned(Duration.ZERO, Set.of("airline")))
                .isEqualTo(new Released(List.of(), List.of(id)));
        assertThat(status(id)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    /** Its claim sent without a mark, and now nobody may send it again. */
    @Test
    default void setsAnEntryAsideWhoseDestinationNoLongerDeduplicates() {
        UUID id = pending();
        assertThat(claimUnmarked("airline")).hasSize(1);
        assertThat(store().releaseAbandoned(Duration.ZERO, Set.of())).isEqualTo(new Released(List.of(), List.of(id)));
    }

    /** It would have been marked before its send. */
    @Test
    default void sendsAgainWhatWasNeverMarkedThoughItsDestinationDeduplicatesNow() {
        UUID id = pending();
        claim(UUID.randomUUID());
        assertThat(store().releaseAbandoned(Duration.ZERO, Set.of("airline")))
                .isEqualTo(new Released(List.of(id), List.of()));
        assertThat(claim(UUID.randomUUID()).get(0).abandonedCount()).isZero();
    }

    // what a timer is told

    @Test
    default void tellsThatThereIsNothingToDo() {
        completed();
        failed();
        unknown();
        assertThat(store().queueState(DestinationScope.ALL)).isEqualTo(new QueueState(false, null, null));
    }

    @Test
    default void tellsWhatIsDueAndWhatComesDueNext() {
        UUID delayed = enqueue(entry().toBuilder()
                .nextAttemptAt(Instant.now().plus(Duration.ofHours(1)))
                .build());
        QueueState state = store().queueState(DestinationScope.ALL);
        assertThat(state.due()).isFalse();
        assertThat(state.nextDueIn()).isBetween(Duration.ofMinutes(58), Duration.ofMinutes(62));
        store().reschedule(delayed, T0);
        assertThat(store().queueState(DestinationScope.ALL).due()).isTrue();
        assertThat(store().queueState(DestinationScope.ALL).nextDueIn()).isNegative();
        store().promoteDue(10);
        assertThat(store().queueState(DestinationScope.ALL).due()).isTrue();
        assertThat(store().queueState(DestinationScope.ALL).nextDueIn()).isNull();
    }

    @Test
    default void tellsTheAgeOfTheOldestClaim() {
        claimed(UUID.randomUUID());
        dispatching();
        QueueState state = store().queueState(DestinationScope.ALL);
        assertThat(state.due()).isFalse();
        assertThat(state.oldestClaimAge()).isGreaterThan(Duration.ofDays(1));
    }
}
