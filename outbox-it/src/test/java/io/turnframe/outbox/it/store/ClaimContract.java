package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.ClaimedEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claim and promote: what is due, in which order, how much. */
interface ClaimContract extends StoreFixture {
    // what a claim does to a row

    @Test
    default void claimsADueEntryForTheWorker() {
        OutboxEntry entry = entry();
        enqueue(entry);
        List<OutboxEntry> claimed = store().claimDue(T0.plusSeconds(1), 10, WORKER);
        assertThat(claimed)
                .containsExactly(entry.toBuilder()
                        .status(OutboxStatus.DISPATCHING)
                        .attemptCount(1)
                        .build());
        assertThat(record(entry.outboxId()).entry()).isEqualTo(claimed.get(0));
        assertThat(record(entry.outboxId()).claim()).isEqualTo(new OutboxClaim(WORKER, T0.plusSeconds(1)));
    }

    @Test
    default void countsEveryClaimAsAnAttempt() {
        UUID id = pending();
        for (int attempt = 1; attempt <= 3; attempt++) {
            claimAgain(id);
            assertThat(record(id).entry().attemptCount()).isEqualTo(attempt);
            store().reschedule(id, T0);
        }
    }

    @Test
    default void keepsTheTimeItWasDueThrough() {
        OutboxEntry entry =
                entry().toBuilder().nextAttemptAt(T0.minusSeconds(1)).build();
        enqueue(entry);
        assertThat(store().claimDue(T0, 10, WORKER))
                .extracting(OutboxEntry::nextAttemptAt)
                .containsExactly(T0.minusSeconds(1));
    }

    @Test
    default void cutsTheTimeOfAClaimToTheMicrosecond() {
        UUID id = pending();
        store().claimDue(T0.plusNanos(1_999), 10, WORKER);
        assertThat(record(id).claim().claimedAt()).isEqualTo(T0.plusNanos(1_000));
    }

    // which rows

    @Test
    default void claimsNothingFromAnEmptyStore() {
        assertThat(store().claimDue(T0, 10, WORKER)).isEmpty();
        assertThat(claim(UUID.randomUUID())).isEmpty();
    }

    @Test
    default void claimsWhatIsDueAtThatVeryInstantAndNothingLater() {
        UUID due = enqueue(entry().toBuilder().nextAttemptAt(T0).build());
        UUID later =
                enqueue(entry().toBuilder().nextAttemptAt(T0.plusNanos(1_000)).build());
        assertThat(ids(store().claimDue(T0.minusNanos(1_000), 10, WORKER))).isEmpty();
        assertThat(ids(store().claimDue(T0, 10, WORKER))).containsExactly(due);
        assertThat(ids(store().claimDue(T0.plusNanos(1_000), 10, WORKER))).containsExactly(later);
    }

    @Test
    default void claimsAnEntryWithoutATimeWhateverTheClockSays() {
        UUID id = pending();
        assertThat(ids(store().claimDue(T0.minus(Duration.ofDays(1)), 10, WORKER)))
                .containsExactly(id);
    }

    @Test
    default void claimsOnlyPendingEntries() {
        dispatching();
        completed();
        failed();
        unknown();
        assertThat(store().claimDue(FAR, 10, WORKER)).isEmpty();
        assertThat(claim(UUID.randomUUID())).isEmpty();
    }

    @Test
    default void claimsAnEntryOnce() {
        UUID id = pending();
        assertThat(ids(store().claimDue(T0, 10, WORKER))).containsExactly(id);
        assertThat(store().claimDue(T0, 10, "worker-b")).isEmpty();
        assertThat(record(id).claim().workerId()).isEqualTo(WORKER);
    }

    /** A claim at a later time has made the delayed entry ready without taking it. */
    @Test
    default void doesNotClaimEarlyWhatALaterClockFoundDue() {
        UUID older = pending();
        UUID delayed = enqueue(entry().toBuilder()
                .createdAt(T0.plusSeconds(1))
                .nextAttemptAt(T0.plusSeconds(60))
                .build());
        assertThat(ids(store().claimDue(T0.plusSeconds(60), 1, WORKER))).containsExactly(older);
        assertThat(store().claimDue(T0.plusSeconds(59), 10, WORKER)).isEmpty();
        assertThat(ids(store().claimDue(T0.plusSeconds(60), 10, WORKER))).containsExactly(delayed);
    }

    @Test
    default void doesNotClaimEarlyWhatWasPutOffAfterItCameDue() {
        UUID id = enqueue(entry().toBuilder().nextAttemptAt(T0).build());
        UUID first = enqueue(entry().toBuilder().createdAt(T0.minusSeconds(1)).build());
        assertThat(ids(store().claimDue(T0, 1, WORKER))).containsExactly(first);
        store().reschedule(id, T0.plusSeconds(60));
        assertThat(store().claimDue(T0.plusSeconds(59), 10, WORKER)).isEmpty();
        assertThat(ids(store().claimDue(T0.plusSeconds(60), 10, WORKER))).containsExactly(id);
    }

    // in which order, how many

    @Test
    default void claimsOldestFirstThenById() {
        // The second id is the greater one byte by byte, and the smaller one as signed numbers.
        UUID low = new UUID(0x7000_0000_0000_0000L, 1);
        UUID high = new UUID(0x8000_0000_0000_0000L, 1);
        UUID lowest = new UUID(0x7000_0000_0000_0000L, 0);
        enqueue(entry().toBuilder()
                .outboxId(lowest)
                .createdAt(T0.plusNanos(1_000))
                .build());
        enqueue(entry().toBuilder().outboxId(high).build());
        enqueue(entry().toBuilder().outboxId(low).build());
        assertThat(ids(store().claimDue(T0, 10, WORKER))).containsExactly(low, high, lowest);
    }

    @Test
    default void ordersDelayedAndReadyEntriesTogetherByAge() {
        UUID delayedOld = enqueue(entry().toBuilder()
                .createdAt(T0.minusSeconds(3))
                .nextAttemptAt(T0)
                .build());
        UUID readyMiddle =
                enqueue(entry().toBuilder().createdAt(T0.minusSeconds(2)).build());
        UUID delayedYoung = enqueue(entry().toBuilder()
                .createdAt(T0.minusSeconds(1))
                .nextAttemptAt(T0.minusSeconds(30))
                .build());
        assertThat(ids(store().claimDue(T0, 10, WORKER))).containsExactly(delayedOld, readyMiddle, delayedYoung);
    }

    @Test
    default void claimsNoMoreThanTheLimit() {
        List<UUID> ids = IntStream.range(0, 7)
                .mapToObj(n ->
                        enqueue(entry().toBuilder().createdAt(T0.plusSeconds(n)).build()))
                .toList();
        assertThat(ids(store().claimDue(T0, 3, WORKER))).isEqualTo(ids.subList(0, 3));
        assertThat(ids(store().claimDue(T0, 3, WORKER))).isEqualTo(ids.subList(3, 6));
        assertThat(ids(store().claimDue(T0, 10_000, WORKER))).isEqualTo(ids.subList(6, 7));
    }

    @Test
    default void refusesALimitOutsideOneToTenThousand() {
        UUID id = pending();
        for (int limit : new int[] {Integer.MIN_VALUE, -1, 0, 10_001, 10_000_000}) {
            assertInvalid(() -> store().claimDue(T0, limit, WORKER));
            assertInvalid(() -> request(limit, UUID.randomUUID(), Set.of()));
            assertInvalid(() -> store().promoteDue(limit));
        }
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    default void refusesAClaimWithoutAWorkerOrATime() {
        UUID id = pending();
        for (String worker : new String[] {null, "", " ", "w".repeat(129), "a\nb"}) {
            assertInvalid(() -> store().claimDue(T0, 10, worker));
            assertInvalid(() -> new ClaimRequest(10, 1, worker, UUID.randomUUID(), Set.of(), Set.of()));
        }
        assertInvalid(() -> store().claimDue(null, 10, WORKER));
        assertInvalid(() -> store().claimDue(Instant.parse("1599-12-31T23:59:59Z"), 10, WORKER));
        assertInvalid(() -> store().claimDue(Instant.parse("+10000-01-01T00:00:00Z"), 10, WORKER));
        assertInvalid(() -> request(10, null, Set.of()));
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
        assertThat(store().claimDue(T0, 10, "w".repeat(128))).hasSize(1);
    }

    // the dispatcher's claim: its clock is the database's

    @Test
    default void claimsForTheDispatcherByTheDatabasesClock() {
        UUID due = pending();
        enqueue(entry().toBuilder().nextAttemptAt(FAR).build());
        Instant before = Instant.now();
        assertThat(claim(UUID.randomUUID()))
                .extracting(c -> c.entry().outboxId())
                .containsExactly(due);
        assertThat(record(due).claim().claimedAt())
                .isBetween(before.minusSeconds(60), Instant.now().plusSeconds(60));
    }

    @Test
    default void claimsDelayedEntriesForTheDispatcherOnceTheyArePromoted() {
        UUID due = enqueue(entry().toBuilder().nextAttemptAt(T0).build());
        enqueue(entry().toBuilder().nextAttemptAt(FAR).build());
        assertThat(claim(UUID.randomUUID())).isEmpty();
        assertThat(store().promoteDue(10)).isEqualTo(1);
        assertThat(store().promoteDue(10)).isZero();
        assertThat(record(due).entry().nextAttemptAt()).isEqualTo(T0);
        assertThat(claim(UUID.randomUUID()))
                .extracting(c -> c.entry().outboxId())
                .containsExactly(due);
    }

    @Test
    default void promotesNoMoreThanTheLimit() {
        IntStream.range(0, 5)
                .forEach(n -> enqueue(entry().toBuilder().nextAttemptAt(T0).build()));
        assertThat(store().promoteDue(3)).isEqualTo(3);
        assertThat(store().promoteDue(3)).isEqualTo(2);
    }

    @Test
    default void leavesOutExcludedDestinations() {
        enqueue(entry().toBuilder().destination("held").build());
        UUID hotel = enqueue(entry().toBuilder()
                .destination("hotel")
                .createdAt(T0.plusSeconds(1))
                .build());
        enqueue(entry().toBuilder()
                .destination("full")
                .createdAt(T0.plusSeconds(2))
                .build());
        UUID airline = enqueue(entry().toBuilder().createdAt(T0.plusSeconds(3)).build());
        List<ClaimedEntry> claimed = store().claim(request(10, UUID.randomUUID(), Set.of("held", "full")));
        assertThat(claimed).extracting(c -> c.entry().outboxId()).containsExactly(hotel, airline);
    }

    @Test
    default void reachesPastAnyNumberOfExcludedEntries() {
        IntStream.range(0, 20)
                .forEach(n -> enqueue(entry().toBuilder().destination("held").build()));
        UUID airline = enqueue(entry().toBuilder().createdAt(T0.plusSeconds(1)).build());
        assertThat(store().claim(request(1, UUID.randomUUID(), Set.of("held"))))
                .extracting(c -> c.entry().outboxId())
                .containsExactly(airline);
    }

    @Test
    default void claimsNoMoreBytesThanItsLimitButAlwaysOneEntry() {
        List<UUID> ids = IntStream.range(0, 4)
                .mapToObj(n -> enqueue(entry().toBuilder()
                        .payload("\"12345678\"")
                        .createdAt(T0.plusSeconds(n))
                        .build()))
                .toList();
        assertThat(claimOf(1)).isEqualTo(ids.subList(0, 1));
        assertThat(claimOf(29)).isEqualTo(ids.subList(1, 3));
        assertThat(claimOf(30)).isEqualTo(ids.subList(3, 4));
    }

    private List<UUID> claimOf(long bytes) {
        return store().claim(new ClaimRequest(10, bytes, WORKER, UUID.randomUUID(), Set.of(), Set.of())).stream()
                .map(claimed -> claimed.entry().outboxId())
                .toList();
    }

    @Test
    default void claimsAnEntryAloneThatWasAbandonedBefore() {
        UUID suspect = enqueue(entry().toBuilder().createdAt(T0.plusSeconds(1)).build());
        assertThat(claimUnmarked("airline")).hasSize(1);
        assertThat(store().releaseAbandoned(Duration.ZERO, Set.of("airline")).pending())
                .containsExactly(suspect);
        UUID older = enqueue(entry());
        UUID younger = enqueue(entry().toBuilder().createdAt(T0.plusSeconds(2)).build());
        for (UUID next : List.of(older, suspect, younger)) {
            assertThat(claim(UUID.randomUUID()))
                    .extracting(claimed -> claimed.entry().outboxId())
                    .containsExactly(next);
        }
    }

    private static List<UUID> ids(List<OutboxEntry> entries) {
        return entries.stream().map(OutboxEntry::outboxId).toList();
    }
}
