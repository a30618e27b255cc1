package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A resubmit of ten thousand, step by step as the server does it, while others claim and hold rows. */
class BulkAtScaleTest extends StageFixture {
    private static final int FAILED = 10_000;
    private static final int HELD = 7;
    private static final int STEPS = FAILED / OutboxBulk.STEP;
    private static final int CLAIM = 20;
    private static final Act ANN = Act.of("ann", "they are back");
    private static final BulkAct RESUBMIT = new BulkAct(
            BulkAct.Kind.RESUBMIT,
            new OutboxFilter(null, null, null, "airline.down", null, null, null, null),
            null,
            null);

    private final Set<UUID> recorded = new HashSet<>();

    private BulkStage bulk;
    private OutboxPosition after;
    private int done;
    private int skipped;

    BulkAtScaleTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @BeforeEach
    void build() {
        AuditStage audit = new AuditStage(
                dataSource,
                stageDatabase(),
                written -> assertThat(recorded.add(written.outboxId())).isTrue());
        bulk = new BulkStage(em, query, audit, OutboxBulk.STEP);
    }

    @Test
    void doesWhatItPlannedStepByStepWhileOthersClaim() {
        List<UUID> failed = fail();
        List<UUID> ready = storeReady((STEPS + 1) * CLAIM);
        assertThat(bulk.plan(RESUBMIT).count()).isEqualTo(FAILED);
        List<UUID> held = failed.subList(FAILED / 2, FAILED / 2 + HELD);

        List<UUID> claimed = new ArrayList<>();
        try (EntityManager holder = factory.createEntityManager();
                EntityManager worker = factory.createEntityManager()) {
            holder.getTransaction().begin();
            assertThat(LockById.rows(holder, OperateStage.ENTRY, held)).hasSize(HELD);
            for (int step = 1; step <= STEPS / 2; step++) {
                claimed.addAll(stepWhileClaiming(worker));
            }
            assertThat(done + skipped).isEqualTo(FAILED / 2);
            // Where an operator cancels, no step follows: all that is behind is as it was, and nothing else on record.
            assertThat(count("failed")).isEqualTo(FAILED - done);
            assertThat(recorded).hasSize(done);
            while (after != null) {
                claimed.addAll(stepWhileClaiming(worker));
            }
            holder.getTransaction().rollback();
        }

        assertThat(claimed).hasSizeGreaterThanOrEqualTo(STEPS * CLAIM).isEqualTo(ready.subList(0, claimed.size()));
        assertThat(done).isEqualTo(FAILED - HELD);
        assertThat(skipped).isEqualTo(HELD);
        assertThat(recorded).hasSize(FAILED - HELD).doesNotContainAnyElementsOf(held);
        assertThat(count("failed")).isEqualTo(HELD);
        assertThat(count("pending")).isEqualTo(FAILED - HELD + ready.size() - claimed.size());
        assertThat(bulk.plan(RESUBMIT).count()).isEqualTo(HELD);
    }

    /** While the step's transaction is open, a claim takes its share at once, in order. */
    private List<UUID> stepWhileClaiming(EntityManager worker) {
        em.getTransaction().begin();
        BulkStep step = bulk.step(RESUBMIT, after, "b-1", ANN, T0);
        ClaimRequest request = new ClaimRequest(CLAIM, "w", UUID.randomUUID(), Set.of());
        List<UUID> claimed = in(worker, () -> new ClaimStage(worker, stageDatabase()).claim(request, T0)).stream()
                .map(c -> c.entry().outboxId())
                .toList();
        em.getTransaction().commit();
        after = step.next();
        done += step.done();
        skipped += step.skipped();
        return claimed;
    }

    /** Newer than what is ready, and so claimed after that. */
    private List<UUID> fail() {
        List<OutboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < FAILED; i++) {
            entries.add(entry("f" + i).createdAt(T0.plusNanos(i * 1_000L)).build());
        }
        enqueue.enqueue(entries);
        in(() -> em.createNativeQuery(
                        "UPDATE tf_outbox SET status = 'failed', completed_at = created_at, attempt_count = 5,"
                                + " last_failure = 'airline.down'")
                .executeUpdate());
        return entries.stream().map(OutboxEntry::outboxId).toList();
    }

    private List<UUID> storeReady(int count) {
        List<OutboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(entry("r" + i)
                    .createdAt(T0.minusSeconds(60).plusNanos(i * 1_000L))
                    .build());
        }
        enqueue.enqueue(entries);
        return entries.stream().map(OutboxEntry::outboxId).toList();
    }

    private long count(String status) {
        return stats.stats(T0).counts().stream()
                .filter(count -> count.status() == OutboxStatus.ofLabel(status))
                .mapToLong(OutboxStats.Count::count)
                .sum();
    }
}
