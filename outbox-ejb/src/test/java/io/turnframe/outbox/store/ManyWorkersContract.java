package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many workers on one queue, in two connection pools as two nodes have them, in sessions of another time zone. */
@Timeout(240)
abstract class ManyWorkersContract {
    private static final Instant T0 = Instant.parse("2026-03-29T00:59:59.123456Z");
    private static final int WORKERS = 8;

    private final TestDatabase database;
    private final String[] sessionSetup;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final List<EntityManagerFactory> factories = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);

    /**
     * @param sessionSetup what every connection runs first: another zone, and errors where a lock is waited for longer than
     *     a transaction of another worker takes, on a busy machine too
     */
    ManyWorkersContract(TestDatabase database, String... sessionSetup) {
        this.database = database;
        this.sessionSetup = sessionSetup;
    }

    @BeforeEach
    void open() {
        DataSource source = database.empty();
        for (int node = 0; node < 2; node++) {
            var config = new HikariConfig();
            config.setDataSource(source);
            config.setMaximumPoolSize(WORKERS);
            config.setConnectionInitSql(String.join("; ", sessionSetup));
            if (database == TestDatabase.MARIADB) {
                config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
            }
            pools.add(new HikariDataSource(config));
            factories.add(StageFixture.factory(pools.get(node)));
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        factories.forEach(EntityManagerFactory::close);
        pools.forEach(HikariDataSource::close);
    }

    @Test
    void claimEveryRowOnceInOrderAndWithoutWaiting() throws Exception {
        int rows = 20_000;
        fill(rows);
        Queue<UUID> claimed = new ConcurrentLinkedQueue<>();
        together(WORKERS, worker -> {
            UUID token = UUID.randomUUID();
            List<ClaimedEntry> batch;
            do {
                batch = worker.in(
                        w -> w.claim.claim(new ClaimRequest(100, "w", token, Set.of()), T0.plusSeconds(3600)));
                List<UUID> ids = batch.stream().map(c -> c.entry().outboxId()).toList();
                assertThat(batch).extracting(c -> c.entry().createdAt()).isSortedAccordingTo(Instant::compareTo);
                claimed.addAll(ids);
                List<Settlement> settlements =
                        ids.stream().map(id -> Settlement.completed(id, null)).toList();
                if (!settlements.isEmpty()) {
                    Set<UUID> refused = worker.in(w -> w.settle.settle(token, settlements, T0));
                    assertThat(refused).isEmpty();
                }
            } while (!batch.isEmpty());
            return null;
        });
        assertThat(claimed).hasSize(rows);
        assertThat(new HashSet<>(claimed)).hasSize(rows);
        assertThat(counts()).containsExactly(new OutboxStats.Count("airline", OutboxStatus.COMPLETED, rows));
    }

    @Test
    void neverClaimMoreThanTheirLimit() throws Exception {
        fill(100_000);
        together(5, worker -> {
            UUID token = UUID.randomUUID();
            for (int limit : new int[] {1, 10, 100, 1_000}) {
                ClaimRequest request = new ClaimRequest(limit, "w", token, Set.of());
                List<ClaimedEntry> batch = worker.in(w -> w.claim.claim(request, T0.plusSeconds(3600)));
                assertThat(batch).hasSize(limit);
            }
            return null;
        });
    }

    @Test
    void eitherCompleteOrReleaseARowAtTheSameInstantNeverBoth() throws Exception {
        for (int race = 0; race < 1_000; race++) {
            UUID token = UUID.randomUUID();
            CyclicBarrier start = new CyclicBarrier(2);
            try (Worker settling = new Worker(0);
                    Worker releasing = new Worker(1)) {
                OutboxEntry entry = entry("race-" + race);
                settling.enqueue.enqueue(List.of(entry));
                UUID id = entry.outboxId();
                settling.in(w -> w.claim.claim(new ClaimRequest(1, "w", token, Set.of()), T0));

                Future<Set<UUID>> settled = threads.submit(() -> {
                    start.await();
                    return settling.in(w -> w.settle.settle(token, List.of(Settlement.completed(id, null)), T0));
                });
                Future<Released> released = threads.submit(() -> {
                    start.await();
                    return releasing.in(w -> w.release.release(T0.plusSeconds(1), Set.of(), T0));
                });
                boolean completed = settled.get().isEmpty();
                boolean back = released.get().pending().contains(id);
                OutboxRecord record = settling.read.get(id);
                assertThat(completed).as("race %d: %s", race, record).isNotEqualTo(back);
                assertThat(record.entry().status())
                        .isEqualTo(completed ? OutboxStatus.COMPLETED : OutboxStatus.PENDING);
                if (back) {
                    // Out of the way of the next race.
                    settling.in(w -> w.claim.claim(new ClaimRequest(1, "w", token, Set.of()), T0));
                    settling.in(w -> w.settle.settle(token, List.of(Settlement.completed(id, null)), T0));
                }
            }
        }
    }

    @Test
    void comeDueAtTheExactInstantThroughEveryChangeOfTheClock() throws Exception {
        List<Instant> changes = List.of(
                Instant.parse("2026-03-08T07:00:00Z"),
                Instant.parse("2026-03-29T01:00:00Z"),
                Instant.parse("2026-10-25T01:00:00Z"),
                Instant.parse("2026-11-01T06:00:00Z"));
        try (Worker worker = new Worker(0)) {
            for (Instant change : changes) {
                for (int quarter = -8; quarter <= 8; quarter++) {
                    Instant due = change.plusSeconds(quarter * 900L).plusNanos(1_000);
                    OutboxEntry entry = entry("at " + due).toBuilder()
                            .createdAt(due)
                            .nextAttemptAt(due)
                            .build();
                    worker.enqueue.enqueue(List.of(entry));
                    assertThat(worker.read.get(entry.outboxId()).entry()).isEqualTo(entry);
                    assertThat(worker.due(due.minusNanos(1_000))).isEmpty();
                    assertThat(worker.due(due)).containsExactly(entry.outboxId());
                    assertThat(worker.read.get(entry.outboxId()).claim().claimedAt())
                            .isEqualTo(due);
                }
            }
        }
    }

    private void fill(int rows) throws SQLException {
        try (Worker worker = new Worker(0)) {
            List<OutboxEntry> entries = new ArrayList<>(rows);
            for (int i = 0; i < rows; i++) {
                entries.add(entry("k" + i).toBuilder()
                        .createdAt(T0.plusNanos(i * 1_000L))
                        .build());
            }
            worker.enqueue.enqueue(entries);
        }
    }

    private static OutboxEntry entry(String key) {
        return OutboxEntry.pending(new UUID(1, 2), "airline", key, "{}").toBuilder()
                .createdAt(T0)
                .build();
    }

    private Collection<OutboxStats.Count> counts() {
        return new StatsStage(pools.get(0), database.database()).stats(T0).counts();
    }

    private void together(int workers, Function<Worker, Void> work) throws Exception {
        List<Callable<Void>> calls = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            int node = i % 2;
            calls.add(() -> {
                try (Worker worker = new Worker(node)) {
                    return work.apply(worker);
                }
            });
        }
        for (Future<Void> call : threads.invokeAll(calls)) {
            call.get();
        }
    }

    /** One worker of a node: an entity manager, and the stages over it. */
    private final class Worker implements AutoCloseable {
        final EntityManager em;
        final EnqueueStage enqueue;
        final ReadStage read;
        final ClaimStage claim;
        final SettleStage settle;
        final ReleaseStage release;

        Worker(int node) {
            DataSource pool = pools.get(node);
            em = factories.get(node).createEntityManager();
            enqueue = new EnqueueStage(pool, database.database());
            read = new ReadStage(em, pool, database.database());
            claim = new ClaimStage(em, database.database());
            settle = new SettleStage(em, pool, database.database());
            release = new ReleaseStage(em, database.database());
        }

        <T> T in(Function<Worker, T> work) {
            return StageFixture.in(em, () -> work.apply(this));
        }

        List<UUID> due(Instant now) {
            in(w -> claim.promote(now, 10));
            return in(w -> claim.claim(new ClaimRequest(10, "w", UUID.randomUUID(), Set.of()), now)).stream()
                    .map(c -> c.entry().outboxId())
                    .toList();
        }

        @Override
        public void close() {
            em.close();
        }
    }
}
