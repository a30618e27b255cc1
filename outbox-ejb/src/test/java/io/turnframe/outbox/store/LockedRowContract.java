package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is asked of a very row that another transaction holds, as one in doubt after a crash does for minutes. */
abstract class LockedRowContract extends StageFixture {
    private static final String HOLD = "UPDATE tf_outbox SET remote_ref = 'held' WHERE outbox_id = ?";

    LockedRowContract(TestDatabase database) {
        super(database);
    }

    @Test
    void givesUpWaitingWithACodeOfItsOwn() throws Exception {
        UUID held = store(entry("held").build()).outboxId();
        claimed(T0, 1);
        OutboxEntry undecided = entry("undecided").build();
        try (Connection other = dataSource.getConnection()) {
            other.setAutoCommit(false);
            hold(other, held);
            insert(other, undecided);
            assertThat(codesOf(List.of(
                            store -> store.in(() -> store.settle(held)),
                            store -> store.in(() -> store.giveBack(held)),
                            store -> store.in(() -> store.lock(held)),
                            store -> store.in(() -> store.complete(held)),
                            store -> store.enqueue(entry("undecided")
                                    .outboxId(UUID.randomUUID())
                                    .build()))))
                    .containsOnly(OutboxException.STORE_BUSY);
            other.rollback();
        }
    }

    @Test
    void passesOverIt() throws Exception {
        UUID held = store(entry("held").createdAt(T0.minusSeconds(9)).build()).outboxId();
        UUID delayed = store(entry("delayed")
                        .createdAt(T0.minusSeconds(8))
                        .nextAttemptAt(T0.minusSeconds(8))
                        .build())
                .outboxId();
        UUID free = store(entry("free").build()).outboxId();
        UUID due = store(entry("due").nextAttemptAt(T0.minusSeconds(1)).build()).outboxId();
        try (Connection other = dataSource.getConnection()) {
            other.setAutoCommit(false);
            hold(other, held);
            hold(other, delayed);
            assertThat(claimed(T0, 10)).containsExactlyInAnyOrder(free, due);
            hold(other, free);
            Released released = in(() -> release.release(T0.plusSeconds(1), Set.of(), T0));
            assertThat(released.pending()).containsExactly(due);
            other.rollback();
        }
        assertThat(claimed(T0, 10)).containsExactlyInAnyOrder(held, delayed, due);
    }

    /** As a transactional sender needs it: looked at, sent and settled under one lock. */
    @Test
    void holdsARowForItsClaimFromTheLookToTheSettlement() {
        UUID id = store(entry("1").build()).outboxId();
        claimed(T0, 1);
        assertThat(in(() -> settle.lock(new UUID(8, 8), id)))
                .as("another claim")
                .isFalse();

        em.getTransaction().begin();
        assertThat(settle.lock(TOKEN, id)).isTrue();
        assertThat(releasedByAnother()).as("while it is held").isEmpty();
        settle.settle(TOKEN, List.of(Settlement.completed(id, null)), T0);
        em.getTransaction().rollback();
        assertThat(read.get(id).entry().status()).isEqualTo(OutboxStatus.DISPATCHING);

        in(() -> {
            assertThat(settle.lock(TOKEN, id)).isTrue();
            return settle.settle(TOKEN, List.of(Settlement.completed(id, null)), T0);
        });
        assertThat(read.get(id).entry().status()).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(in(() -> settle.lock(TOKEN, id))).as("once it is settled").isFalse();
    }

    /** One that was never marked was never sent, whatever its transaction was about to do. */
    @Test
    void hasLostTheClaimOfARowThatWasReleased() {
        UUID id = store(entry("1").build()).outboxId();
        claimed(T0, 1);
        in(() -> settle.lock(TOKEN, id));
        assertThat(releasedByAnother()).containsExactly(id);
        assertThat(in(() -> settle.lock(TOKEN, id))).isFalse();
        assertThat(read.get(id).entry().status()).isEqualTo(OutboxStatus.PENDING);
    }

    private List<UUID> releasedByAnother() {
        try (EntityManager own = factory.createEntityManager()) {
            ReleaseStage other = new ReleaseStage(own, stageDatabase());
            return StageFixture.in(own, () -> other.release(T0.plusSeconds(1), Set.of(), T0))
                    .pending();
        }
    }

    /** What stands behind as many locked rows as are wanted is found all the same. */
    @Test
    void looksPastTheHeadOfEachQueue() throws Exception {
        List<UUID> ended = storedAndClaimed("ended");
        List<UUID> unknown = storedAndClaimed("unknown");
        List<UUID> due = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            Instant at = T0.plusMillis(n);
            settle(Settlement.completed(ended.get(n), null), at);
            settle(Settlement.unknown(unknown.get(n), null), at);
            due.add(store(entry("due" + n).nextAttemptAt(at).build()).outboxId());
        }
        UUID ready = store(entry("ready").build()).outboxId();
        PurgeStage purge = new PurgeStage(em, stageDatabase());
        ReconcileStage reconcile = new ReconcileStage(em, dataSource, stageDatabase());
        QuestionRequest request = new QuestionRequest("asker", Duration.ofMinutes(1), Duration.ofMinutes(5));
        Instant after = T0.plusSeconds(1);
        try (Connection other = dataSource.getConnection()) {
            other.setAutoCommit(false);
            for (List<UUID> queue : List.of(due, ended, unknown)) {
                hold(other, queue.get(0));
                hold(other, queue.get(1));
            }
            assertThat(in(() -> claim.promote(after, 2))).isEqualTo(1);
            assertThat(in(() -> claim.claim(request(10, Set.of()), after)))
                    .extracting(claimed -> claimed.entry().outboxId())
                    .containsExactlyInAnyOrder(ready, due.get(2));
            assertThat(in(() -> purge.purge(OutboxStatus.COMPLETED, after, 2))).isEqualTo(1);
            assertThat(in(() -> reconcile.take(request, Set.of("airline"), 2, 1_000, after)))
                    .extracting(Question::outboxId)
                    .containsExactly(unknown.get(2));
            other.rollback();
        }
    }

    private List<UUID> storedAndClaimed(String key) {
        List<UUID> ids = IntStream.range(0, 3)
                .mapToObj(n -> store(entry(key + n).build()).outboxId())
                .toList();
        assertThat(claimed(T0, 10)).containsExactlyInAnyOrderElementsOf(ids);
        return ids;
    }

    private void settle(Settlement settlement, Instant at) {
        assertThat(in(() -> settle.settle(TOKEN, List.of(settlement), at))).isEmpty();
    }

    private void hold(Connection other, UUID id) throws SQLException {
        try (PreparedStatement update = other.prepareStatement(HOLD)) {
            update.setObject(1, id);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    private void insert(Connection other, OutboxEntry entry) throws SQLException {
        try (PreparedStatement insert =
                other.prepareStatement("INSERT INTO tf_outbox (outbox_id, command_id, destination,"
                        + " payload, idempotency_key, status, attempt_count, created_at)"
                        + " VALUES (?, ?, ?, '{}', ?, 'pending', 0, CURRENT_TIMESTAMP)")) {
            insert.setObject(1, entry.outboxId());
            insert.setObject(2, entry.commandId());
            insert.setString(3, entry.destination());
            insert.setString(4, entry.idempotencyKey());
            insert.executeUpdate();
        }
    }

    /** Does all of it at once, since each takes as long as the database waits. */
    private List<String> codesOf(List<Consumer<Worker>> calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<Future<String>> codes = threads.invokeAll(calls.stream()
                    .<Callable<String>>map(call -> () -> codeOf(call))
                    .toList());
            return codes.stream().map(LockedRowContract::ended).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private String codeOf(Consumer<Worker> call) {
        try (EntityManager own = factory.createEntityManager()) {
            PersistenceException failure =
                    catchThrowableOfType(PersistenceException.class, () -> call.accept(new Worker(own)));
            return failure == null ? "went through" : StoreFailure.of(failure).code();
        }
    }

    private static String ended(Future<String> code) {
        try {
            return code.get();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The stages of one thread. */
    private final class Worker {
        private final EntityManager own;

        Worker(EntityManager own) {
            this.own = own;
        }

        void in(Runnable work) {
            StageFixture.in(own, () -> {
                work.run();
                return null;
            });
        }

        void settle(UUID id) {
            new SettleStage(own, dataSource, stageDatabase())
                    .settle(TOKEN, List.of(Settlement.retry(id, "busy", Duration.ofSeconds(1))), T0);
        }

        void giveBack(UUID id) {
            new SettleStage(own, dataSource, stageDatabase()).giveBack(TOKEN, List.of(id));
        }

        void lock(UUID id) {
            new SettleStage(own, dataSource, stageDatabase()).lock(TOKEN, id);
        }

        void complete(UUID id) {
            new VerdictStage(own, read, stageDatabase()).complete(id, T0);
        }

        void enqueue(OutboxEntry entry) {
            new EnqueueStage(dataSource, stageDatabase()).enqueueAlone(entry);
        }
    }
}
