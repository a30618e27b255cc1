package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A stage locks the rows it takes and no neighbour of theirs, also when it takes many: whoever settles, claims or
 * reschedules another row never waits for it.
 */
@Timeout(120) // Whoever waits for a lock here waits for ever.
abstract class LocksContract extends StageFixture {
    /** From as many ids on, MariaDB treats a list of them as a table. */
    private static final int MANY = 1_000;

    private static final Instant LATER = T0.plusSeconds(3_600);

    LocksContract(TestDatabase database) {
        super(database);
    }

    @Test
    void promotesWithoutLockingTheRowThatComesDueNext() {
        storeMany("due", MANY, T0);
        List<UUID> others = storeMany("next", 1, LATER);
        others.addAll(others());
        assertLeavesFree(others, () -> assertThat(claim.promote(T0, MANY)).isEqualTo(MANY));
    }

    @Test
    void promotesWithoutLockingTheReadyRowsWhenNothingElseIsDelayed() {
        List<UUID> others = others();
        storeMany("due", 3, T0);
        assertLeavesFree(others, () -> assertThat(claim.promote(T0, MANY)).isEqualTo(3));
    }

    @Test
    void releasesWithoutLockingTheClaimThatWasTakenNext() {
        List<UUID> abandoned = claimMany(MANY + 1, T0);
        List<UUID> others = claimMany(1, LATER);
        others.addAll(others());
        assertLeavesFree(
                others,
                () -> assertThat(
                                release.release(T0.plusSeconds(1), Set.of(), T0).pending())
                        .containsExactlyInAnyOrderElementsOf(abandoned));
    }

    @Test
    void releasesWithoutLockingAnythingElseWhenEveryClaimIsAbandoned() {
        List<UUID> abandoned = claimMany(3, T0);
        List<UUID> others = others();
        assertLeavesFree(
                others,
                () -> assertThat(
                                release.release(T0.plusSeconds(1), Set.of(), T0).pending())
                        .containsExactlyInAnyOrderElementsOf(abandoned));
    }

    @Test
    void purgesWithoutLockingTheRowThatEndedNext() {
        endMany(MANY, T0);
        List<UUID> others = endMany(1, LATER);
        others.addAll(others());
        PurgeStage purge = new PurgeStage(em, stageDatabase());
        assertLeavesFree(
                others,
                () -> assertThat(purge.purge(OutboxStatus.COMPLETED, T0.plusSeconds(1), MANY))
                        .isEqualTo(MANY));
    }

    @Test
    void claimsWithoutLockingTheNextReadyRow() {
        storeMany("ready", MANY, null);
        List<UUID> others = storeMany("delayed", 1, LATER);
        others.addAll(storeMany("later", 1, null, LATER));
        assertLeavesFree(
                others,
                () -> assertThat(claim.claim(request(MANY, Set.of()), T0)).hasSize(MANY));
    }

    @Test
    void claimsTheLastReadyRowWithoutLockingADelayedOne() {
        List<UUID> others = endMany(1, LATER);
        others.addAll(claimMany(1, LATER));
        others.addAll(storeMany("delayed", 1, LATER));
        storeMany("ready", 3, null);
        assertLeavesFree(
                others,
                () -> assertThat(claim.claim(request(MANY, Set.of()), T0)).hasSize(3));
    }

    /** One row in each place of each index that a stage has no business with. */
    private List<UUID> others() {
        List<UUID> others = endMany(1, LATER);
        others.addAll(claimMany(1, LATER.plusSeconds(1)));
        others.addAll(storeMany("delayed", 1, LATER.plusSeconds(1)));
        others.addAll(storeMany("ready", 1, null));
        return others;
    }

    /** While the transaction of {@code work} is open, each of {@code others} can be locked by another. */
    private void assertLeavesFree(List<UUID> others, Runnable work) {
        em.getTransaction().begin();
        work.run();
        List<UUID> free = new ArrayList<>();
        try (EntityManager other = factory.createEntityManager()) {
            for (UUID id : others) {
                free.addAll(in(other, lockable(other, id)));
            }
        }
        em.getTransaction().commit();
        assertThat(free).isEqualTo(others);
    }

    private static Supplier<List<UUID>> lockable(EntityManager other, UUID id) {
        return () -> LockById.rows(other, "select o.outboxId, o.attemptCount from OutboxRow o", List.of(id))
                .map(row -> (UUID) row[0])
                .toList();
    }

    private List<UUID> storeMany(String key, int count, Instant nextAttemptAt) {
        return storeMany(key, count, nextAttemptAt, T0);
    }

    private List<UUID> storeMany(String key, int count, Instant nextAttemptAt, Instant createdAt) {
        List<OutboxEntry> entries = IntStream.range(0, count)
                .mapToObj(n -> entry(key + UUID.randomUUID())
                        .outboxId(UUID.randomUUID())
                        .createdAt(createdAt.plusNanos(n * 1_000L))
                        .nextAttemptAt(nextAttemptAt)
                        .build())
                .toList();
        enqueue.enqueue(entries);
        List<UUID> ids = new ArrayList<>();
        entries.forEach(entry -> ids.add(entry.outboxId()));
        return ids;
    }

    private List<UUID> claimMany(int count, Instant at) {
        List<UUID> ids = storeMany("claimed", count, null);
        assertThat(in(() -> claim.claim(request(count, Set.of()), at)))
                .extracting(claimed -> claimed.entry().outboxId())
                .containsExactlyElementsOf(ids);
        return ids;
    }

    private List<UUID> endMany(int count, Instant at) {
        List<UUID> ids = claimMany(count, at);
        List<Settlement> settlements =
                ids.stream().map(id -> Settlement.completed(id, null)).toList();
        assertThat(in(() -> settle.settle(TOKEN, settlements, at))).isEqualTo(Collections.emptySet());
        return ids;
    }
}
