package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Mark, settle and give back: only for the holder of the claim, and what each does to the budget. */
interface FenceContract extends StoreFixture {
    Duration LATER = Duration.ofHours(1);

    // the four endings

    @Test
    default void settlesEachRowByItsOwnOutcome() {
        UUID token = UUID.randomUUID();
        List<UUID> ids = IntStream.range(0, 5)
                .mapToObj(n ->
                        enqueue(entry().toBuilder().createdAt(T0.plusSeconds(n)).build()))
                .toList();
        assertThat(claim(token)).hasSize(5);
        assertThat(settle(
                        token,
                        List.of(
                                Settlement.completed(ids.get(0), null),
                                Settlement.completed(ids.get(1), "ref-1"),
                                Settlement.retry(ids.get(2), "some.reason", LATER),
                                Settlement.failed(ids.get(3), "other.reason"),
                                Settlement.unknown(ids.get(4), "ref-2"))))
                .isEmpty();
        assertThat(ids)
                .extracting(this::status)
                .containsExactly(
                        OutboxStatus.COMPLETED,
                        OutboxStatus.COMPLETED,
                        OutboxStatus.PENDING,
                        OutboxStatus.FAILED,
                        OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(ids).extracting(id -> record(id).claim()).containsOnlyNulls();
        assertThat(ids).extracting(id -> record(id).remoteRef()).containsExactly(null, "ref-1", null, null, "ref-2");
        assertThat(ids)
                .extracting(id -> record(id).lastFailure())
                .containsExactly(null, null, "some.reason", "other.reason", null);
        assertThat(ids)
                .extracting(id -> record(id).entry().completedAt() != null)
                .containsExactly(true, true, false, true, false);
        assertThat(record(ids.get(2)).entry().nextAttemptAt())
                .isCloseTo(Instant.now().plus(LATER), within(1, ChronoUnit.MINUTES));
    }

    /** A remote may answer that it is not to be asked again before the end of time. */
    @Test
    default void putsARetryBeyondTheLastInstantOffToThatInstant() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        Duration beyond =
                Duration.between(Instant.now(), OutboxEntry.MAX_INSTANT).plusDays(1);
        settle(token, List.of(Settlement.retry(id, "some.reason", beyond)));
        assertThat(record(id).entry().nextAttemptAt()).isEqualTo(OutboxEntry.MAX_INSTANT);
    }

    @Test
    default void settlesNothingForAnEmptyList() {
        assertThat(settle(UUID.randomUUID(), List.of())).isEmpty();
        assertThat(store().markSendStarted(UUID.randomUUID(), List.of())).isEmpty();
        assertThat(store().giveBack(UUID.randomUUID(), List.of())).isEmpty();
    }

    @Test
    default void keepsTheReferenceOfAnEarlierAttempt() {
        UUID id = dispatching();
        store().markOutcomeUnknown(id, "ref-1");
        store().reschedule(id, T0);
        UUID token = UUID.randomUUID();
        store().promoteDue(10);
        claim(token);
        settle(token, List.of(Settlement.completed(id, null)));
        assertThat(record(id).remoteRef()).isEqualTo("ref-1");
    }

    // the fence

    @Test
    default void refusesASettlementWithoutTheTokenOfTheClaim() {
        UUID id = claimed(UUID.randomUUID());
        for (Settlement settlement : everySettlementOf(id)) {
            assertChangesNothing(
                    id,
                    () -> assertThat(settle(UUID.randomUUID(), List.of(settlement)))
                            .containsExactly(id));
        }
        assertChangesNothing(
                id,
                () -> assertThat(store().markSendStarted(UUID.randomUUID(), List.of(id)))
                        .containsExactly(id));
        assertChangesNothing(
                id,
                () -> assertThat(store().giveBack(UUID.randomUUID(), List.of(id)))
                        .containsExactly(id));
    }

    /** A claims, its claim is released, B claims, A settles late. */
    @Test
    default void refusesTheLateSettlementOfALostClaim() {
        assertRowIsOfItsHolder(id -> {});
    }

    /** The number of the attempt is then that of A's. */
    @Test
    default void refusesTheLateSettlementOfALostClaimAlsoAfterTheAttemptsWereSetBackByHand() {
        assertRowIsOfItsHolder(id -> setAttemptCount(id, 0));
    }

    /** As somebody does in SQL who wants a row to have all its attempts again. */
    void setAttemptCount(UUID id, int count);

    /** @param meanwhile what becomes of the row between the claims */
    private void assertRowIsOfItsHolder(Consumer<UUID> meanwhile) {
        UUID lost = UUID.randomUUID();
        UUID id = claimed(lost);
        int attempt = record(id).entry().attemptCount();
        assertThat(store().releaseExpiredClaims(FAR)).containsExactly(id);
        meanwhile.accept(id);
        UUID held = UUID.randomUUID();
        assertThat(claim(held)).hasSize(1);
        assertRefusesAll(lost, id, attempt);
        assertThat(settle(held, List.of(Settlement.unknown(id, "ref-b")))).isEmpty();
        assertRefusesAll(lost, id, attempt);
        store().reschedule(id, T0);
        UUID again = UUID.randomUUID();
        store().promoteDue(10);
        assertThat(claim(again)).hasSize(1);
        assertThat(settle(again, List.of(Settlement.completed(id, "ref-c")))).isEmpty();
        assertRefusesAll(lost, id, attempt);
        assertThat(record(id).remoteRef()).isEqualTo("ref-c");
    }

    /** Whoever lost the row can do nothing to it, in no way that names its claim. */
    private void assertRefusesAll(UUID lost, UUID id, int attempt) {
        for (Settlement settlement : everySettlementOf(id)) {
            assertChangesNothing(
                    id, () -> assertThat(settle(lost, List.of(settlement))).containsExactly(id));
        }
        assertChangesNothing(
                id, () -> assertThat(store().markSendStarted(lost, List.of(id))).containsExactly(id));
        assertChangesNothing(
                id, () -> assertThat(store().giveBack(lost, List.of(id))).containsExactly(id));
        Attempt late =
                new Attempt(id, attempt, WORKER, LATER, Duration.ZERO, Dispatched.Kind.COMPLETED, null, "ref-a", true);
        assertChangesNothing(
                id, () -> assertThat(store().settleLate(lost, late, false)).isFalse());
    }

    @Test
    default void refusesASettlementAfterTheClaimWasReleased() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        store().releaseExpiredClaims(FAR);
        for (Settlement settlement : everySettlementOf(id)) {
            assertChangesNothing(
                    id, () -> assertThat(settle(token, List.of(settlement))).containsExactly(id));
        }
    }

    @Test
    default void refusesASettlementAfterAnOperatorRequeuedTheRow() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        store().reschedule(id, T0);
        for (Settlement settlement : everySettlementOf(id)) {
            assertChangesNothing(
                    id, () -> assertThat(settle(token, List.of(settlement))).containsExactly(id));
        }
    }

    @Test
    default void refusesASettlementAfterAnotherVerdict() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        store().markFailed(id, "an.operator", null);
        assertChangesNothing(
                id,
                () -> assertThat(settle(token, List.of(Settlement.completed(id, "ref-1"))))
                        .containsExactly(id));
        assertChangesNothing(
                id,
                () -> assertThat(settle(token, List.of(Settlement.completed(id, null))))
                        .containsExactly(id));
    }

    @Test
    default void acceptsTheSameSettlementAgain() {
        for (int which = 0; which < 5; which++) {
            UUID token = UUID.randomUUID();
            UUID id = claimed(token);
            Settlement settlement = everySettlementOf(id).get(which);
            assertThat(settle(token, List.of(settlement))).isEmpty();
            assertChangesNothing(
                    id, () -> assertThat(settle(token, List.of(settlement))).isEmpty());
        }
    }

    @Test
    default void refusesAnotherSettlementUnderTheSameToken() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        settle(token, List.of(Settlement.completed(id, null)));
        assertChangesNothing(
                id,
                () -> assertThat(settle(token, List.of(Settlement.failed(id, "some.reason"))))
                        .containsExactly(id));
        assertChangesNothing(
                id,
                () -> assertThat(settle(token, List.of(Settlement.retry(id, "some.reason", LATER))))
                        .containsExactly(id));
    }

    @Test
    default void settlesItsOwnRowsAndNamesThoseItLost() {
        UUID token = UUID.randomUUID();
        List<UUID> ids = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            ids.add(enqueue(entry().toBuilder().createdAt(T0.plusSeconds(n)).build()));
        }
        claim(token);
        store().reschedule(ids.get(1), FAR);
        store().reschedule(ids.get(4), FAR);
        UUID never = UUID.randomUUID();
        assertThat(settle(
                        token,
                        List.of(
                                Settlement.completed(ids.get(0), null),
                                Settlement.completed(ids.get(1), null),
                                Settlement.completed(never, null),
                                Settlement.failed(ids.get(3), "some.reason"),
                                Settlement.failed(ids.get(4), "some.reason"),
                                Settlement.completed(ids.get(5), "ref-5"))))
                .containsExactlyInAnyOrder(ids.get(1), ids.get(4), never);
        assertThat(ids)
                .extracting(this::status)
                .containsExactly(
                        OutboxStatus.COMPLETED,
                        OutboxStatus.PENDING,
                        OutboxStatus.DISPATCHING,
                        OutboxStatus.FAILED,
                        OutboxStatus.PENDING,
                        OutboxStatus.COMPLETED);
    }

    // the mark

    @Test
    default void marksTheSendsThatStartAndNamesTheRowsItLost() {
        UUID token = UUID.randomUUID();
        UUID held = claimed(token);
        UUID other = claimed(UUID.randomUUID());
        Object otherBefore = stored(other);
        assertThat(store().markSendStarted(token, List.of(held, other))).containsExactly(other);
        assertThat(stored(other)).isEqualTo(otherBefore);
        assertThat(store().releaseExpiredClaims(FAR)).containsExactlyInAnyOrder(held, other);
        assertThat(status(held)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(status(other)).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    default void clearsTheMarkWithEverySettlementAndGiveBack() {
        UUID token = UUID.randomUUID();
        UUID retried = claimed(token);
        store().markSendStarted(token, List.of(retried));
        settle(token, List.of(Settlement.retry(retried, "some.reason", Duration.ZERO)));
        assertClaimsUnmarked(retried);

        UUID givenBack = claimed(token);
        store().markSendStarted(token, List.of(givenBack));
        store().giveBack(token, List.of(givenBack));
        assertClaimsUnmarked(givenBack);

        UUID rescheduled = claimed(token);
        store().markSendStarted(token, List.of(rescheduled));
        store().reschedule(rescheduled, T0);
        assertClaimsUnmarked(rescheduled);
    }

    /** Its next claim, abandoned before it is marked, is released to pending. Then it is out of the way. */
    private void assertClaimsUnmarked(UUID id) {
        assertThat(store().claimDue(FAR, 10, WORKER)).hasSize(1);
        assertThat(store().releaseExpiredClaims(FAR.plusSeconds(1))).containsExactly(id);
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
        store().claimDue(FAR, 10, WORKER);
        store().markCompleted(id);
    }

    // give back and budget

    @Test
    default void givesARowBackThatIsDueAtOnceWithItsClaimForgiven() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        assertThat(store().giveBack(token, List.of(id))).isEmpty();
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
        assertThat(record(id).claim()).isNull();
        assertThat(record(id).entry().attemptCount()).isEqualTo(1);
        assertBudget(id, 2, 1);
    }

    @Test
    default void givesBackARowThatHadBeenDelayedDueAtOnce() {
        UUID id = enqueue(entry().toBuilder().nextAttemptAt(T0).build());
        store().promoteDue(10);
        UUID token = UUID.randomUUID();
        assertThat(claim(token)).hasSize(1);
        store().giveBack(token, List.of(id));
        assertThat(claim(UUID.randomUUID())).hasSize(1);
    }

    @Test
    default void acceptsTheSameGiveBackAgain() {
        UUID token = UUID.randomUUID();
        UUID id = claimed(token);
        store().giveBack(token, List.of(id));
        assertChangesNothing(
                id, () -> assertThat(store().giveBack(token, List.of(id))).isEmpty());
    }

    @Test
    default void countsRetriesAgainstTheBudget() {
        UUID id = pending();
        for (int used = 1; used <= 3; used++) {
            UUID token = UUID.randomUUID();
            store().promoteDue(10);
            ClaimedEntry claimed = claim(token).get(0);
            assertThat(claimed.budgetUsed()).isEqualTo(used);
            assertThat(claimed.abandonedCount()).isZero();
            settle(token, List.of(Settlement.retry(id, "some.reason", Duration.ZERO)));
        }
    }

    /** The next claim of {@code id} is attempt number {@code attempts} and number {@code used} of its budget. */
    private void assertBudget(UUID id, int attempts, int used) {
        ClaimedEntry claimed = claim(UUID.randomUUID()).get(0);
        assertThat(claimed.entry().outboxId()).isEqualTo(id);
        assertThat(claimed.entry().attemptCount()).isEqualTo(attempts);
        assertThat(claimed.budgetUsed()).isEqualTo(used);
    }

    private static List<Settlement> everySettlementOf(UUID id) {
        return List.of(
                Settlement.completed(id, null),
                Settlement.completed(id, "ref-1"),
                Settlement.retry(id, "some.reason", LATER),
                Settlement.failed(id, "some.reason"),
                Settlement.unknown(id, "ref-1"));
    }
}
