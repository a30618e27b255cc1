package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the purge removes, what it leaves, and that it is in nobody's way; on every database. */
@Timeout(30) // Whoever waits for a lock here waits for ever.
abstract class PurgeContract extends StageFixture {
    private static final Instant OLD = T0;
    private static final Instant LIMIT = T0.plus(Duration.ofDays(30));

    private PurgeStage purge;

    PurgeContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void build() {
        purge = new PurgeStage(em, stageDatabase());
    }

    @Test
    void removesWhatEndedBeforeTheInstantAndNothingElse() {
        UUID old = completed("old", OLD);
        UUID justOld = completed("justOld", LIMIT.minusNanos(1000));
        UUID young = completed("young", LIMIT);
        UUID failed = failed("failed", OLD);
        UUID pending = store(entry("pending").build()).outboxId();

        assertThat(purge.isDue(OutboxStatus.COMPLETED, LIMIT)).isTrue();
        assertThat(purged(OutboxStatus.COMPLETED, 10)).isEqualTo(2);
        assertThat(purge.isDue(OutboxStatus.COMPLETED, LIMIT)).isFalse();
        assertThat(purged(OutboxStatus.COMPLETED, 10)).isZero();

        assertGone(old);
        assertGone(justOld);
        assertThat(read.get(young).entry().status()).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(read.get(failed).entry().status()).isEqualTo(OutboxStatus.FAILED);
        assertThat(read.get(pending).entry().status()).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    void removesFailedRowsApart() {
        UUID completed = completed("completed", OLD);
        UUID failed = failed("failed", OLD);

        assertThat(purged(OutboxStatus.FAILED, 10)).isEqualTo(1);

        assertGone(failed);
        assertThat(read.get(completed).entry().status()).isEqualTo(OutboxStatus.COMPLETED);
    }

    @Test
    void removesAtMostAsManyAsAskedFor() {
        for (int i = 0; i < 5; i++) {
            completed("k" + i, OLD.plusSeconds(i));
        }
        assertThat(purged(OutboxStatus.COMPLETED, 2)).isEqualTo(2);
        assertThat(purged(OutboxStatus.COMPLETED, 2)).isEqualTo(2);
        assertThat(purged(OutboxStatus.COMPLETED, 2)).isEqualTo(1);
    }

    @Test
    void freesTheKey() {
        completed("again", OLD);
        purged(OutboxStatus.COMPLETED, 10);
        store(entry("again").build());
    }

    @Test
    void passesARowThatIsLockedElsewhere() {
        UUID locked = completed("locked", OLD);
        UUID free = completed("free", OLD.plusSeconds(1));
        inParallel(other -> {
            assertThat(ClaimStage.skippingLocked(other.createQuery(
                                    "select o.outboxId from OutboxRow o where o.outboxId = :id", UUID.class))
                            .setParameter("id", locked)
                            .getResultList())
                    .hasSize(1);
            assertThat(purged(OutboxStatus.COMPLETED, 10)).isEqualTo(1);
        });
        assertGone(free);
        assertThat(purged(OutboxStatus.COMPLETED, 10)).isEqualTo(1);
        assertGone(locked);
    }

    @Test
    void holdsUpNoClaimAndNoEnqueue() {
        completed("old", OLD);
        UUID due = store(entry("due").build()).outboxId();
        inParallel(other -> {
            assertThat(new PurgeStage(other, stageDatabase()).purge(OutboxStatus.COMPLETED, LIMIT, 10))
                    .isEqualTo(1);
            UUID enqueued =
                    store(entry("new").createdAt(T0.plusSeconds(1)).build()).outboxId();
            assertThat(claimed(T0, 10)).containsExactly(due, enqueued);
            assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.completed(due, null)), T0)))
                    .isEmpty();
        });
    }

    @Test
    void sharesTheWorkWithAPurgeOfAnotherNode() {
        for (int i = 0; i < 10; i++) {
            completed("k" + i, OLD);
        }
        inParallel(other -> {
            assertThat(new PurgeStage(other, stageDatabase()).purge(OutboxStatus.COMPLETED, LIMIT, 5))
                    .isEqualTo(5);
            assertThat(purged(OutboxStatus.COMPLETED, 10)).isEqualTo(5);
        });
        assertThat(purge.isDue(OutboxStatus.COMPLETED, LIMIT)).isFalse();
    }

    private int purged(OutboxStatus status, int limit) {
        return in(() -> purge.purge(status, LIMIT, limit));
    }

    private UUID completed(String key, Instant at) {
        UUID id = dispatching(key);
        in(() -> settle.settle(TOKEN, List.of(Settlement.completed(id, null)), at));
        return id;
    }

    private UUID failed(String key, Instant at) {
        UUID id = dispatching(key);
        in(() -> settle.settle(TOKEN, List.of(Settlement.failed(id, "no")), at));
        return id;
    }

    private UUID dispatching(String key) {
        UUID id = store(entry(key).build()).outboxId();
        assertThat(claimed(T0, 10)).containsExactly(id);
        return id;
    }

    private void assertGone(UUID id) {
        em.clear();
        assertThatExceptionOfType(OutboxNotFoundException.class).isThrownBy(() -> read.get(id));
    }

    /** In the transaction of another connection, which commits afterwards. */
    private void inParallel(Work work) {
        EntityManager other = factory.createEntityManager();
        other.getTransaction().begin();
        try {
            work.with(other);
            other.getTransaction().commit();
        } finally {
            if (other.getTransaction().isActive()) {
                other.getTransaction().rollback();
            }
            other.close();
        }
    }

    @FunctionalInterface
    private interface Work {
        void with(EntityManager other);
    }
}
