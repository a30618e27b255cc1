package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Somebody turns the pages while workers settle every other row and enqueue new ones. Reader and workers come along at the
 * same rate, from both ends: when the reader is past the middle, rows leave that were shown already.
 */
abstract class PagesWhileSettledContract extends StageFixture {
    private static final int WORKERS = 4;
    private static final int BATCHES = 40;
    private static final UUID STAYS = new UUID(5, 5);

    private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore allowed = new Semaphore(0);
    private final Semaphore ended = new Semaphore(0);
    private final int rows;
    private final int staying;

    /** @param rows of which half stays */
    PagesWhileSettledContract(TestDatabase database, int rows) {
        super(database);
        this.rows = rows;
        staying = rows / 2;
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void showEveryRowOnceThatStaysPending() throws Exception {
        assertShowsWhatStaysOnce(new OutboxFilter(OutboxStatus.PENDING, null, null));
    }

    /** The pages of this filter end with their windows. */
    @Test
    void showEveryRowOnceWhateverBecomesOfIt() throws Exception {
        assertShowsWhatStaysOnce(new OutboxFilter(null, "airline", null));
    }

    private void assertShowsWhatStaysOnce(OutboxFilter filter) throws Exception {
        fill();
        List<Future<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(threads.submit(worker()));
        }

        List<UUID> shown = new ArrayList<>();
        Set<UUID> stayed = new HashSet<>();
        int batches = 0;
        OutboxPosition after = null;
        do {
            OutboxPage page = query.page(filter, after, Math.min(500, staying / BATCHES));
            for (OutboxSummary entry : page.entries()) {
                shown.add(entry.outboxId());
                if (entry.commandId().equals(STAYS)) {
                    stayed.add(entry.outboxId());
                }
            }
            after = page.next();
            for (; batches < (long) BATCHES * stayed.size() / staying; batches++) {
                allowed.release();
                if (batches >= WORKERS) {
                    assertThat(ended.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
                }
            }
        } while (after != null);

        assertThat(shown).doesNotHaveDuplicates();
        assertThat(stayed).hasSize(staying);
        int settled = 0;
        for (Future<Integer> worker : workers) {
            settled += worker.get(60, TimeUnit.SECONDS);
        }
        assertThat(settled).isEqualTo(rows - staying);
    }

    /** Every other row is not due for long. */
    private void fill() {
        List<OutboxEntry> entries = new ArrayList<>(rows);
        for (int i = 0; i < rows; i++) {
            OutboxEntry.Builder entry =
                    entry("k" + i).outboxId(UUID.randomUUID()).createdAt(T0.plusNanos(i / 4 * 1_000L));
            entries.add(
                    (i % 2 == 0 ? entry : entry.commandId(STAYS).nextAttemptAt(T0.plus(Duration.ofDays(30)))).build());
        }
        enqueue.enqueue(entries);
    }

    /** Answers how many rows it settled. */
    private Callable<Integer> worker() {
        return () -> {
            int settled = 0;
            try (EntityManager own = factory.createEntityManager()) {
                ClaimStage claim = new ClaimStage(own, stageDatabase());
                SettleStage settle = new SettleStage(own, dataSource, stageDatabase());
                for (int batch; (batch = begun.getAndIncrement()) < BATCHES; ) {
                    allowed.acquire();
                    settled += settle(own, claim, settle);
                    enqueue.enqueue(List.of(entry("new" + batch)
                            .destination("hotel")
                            .createdAt(T0.plusSeconds(60 + batch))
                            .build()));
                    ended.release();
                }
            }
            return settled;
        };
    }

    /** As many as make a batch; on H2 a claim may find fewer while others claim. */
    private int settle(EntityManager em, ClaimStage claim, SettleStage settle) {
        int batch = (rows - staying) / BATCHES;
        int settled = 0;
        while (settled < batch) {
            UUID token = UUID.randomUUID();
            ClaimRequest request = new ClaimRequest(batch - settled, "w", token, Set.of("hotel"));
            List<Settlement> settlements = new ArrayList<>();
            for (ClaimedEntry claimed : in(em, () -> claim.claim(request, T0.plusSeconds(3_600)))) {
                UUID id = claimed.entry().outboxId();
                settlements.add(
                        settlements.size() % 2 == 0
                                ? Settlement.completed(id, null)
                                : Settlement.failed(id, "airline.full"));
            }
            if (!settlements.isEmpty()) {
                assertThat(in(em, () -> settle.settle(token, settlements, T0))).isEmpty();
            }
            settled += settlements.size();
        }
        return settled;
    }
}
