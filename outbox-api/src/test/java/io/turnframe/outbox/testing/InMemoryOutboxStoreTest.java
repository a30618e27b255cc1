package io.turnframe.outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the double has beside the contract, which the contract suite holds it to. */
class InMemoryOutboxStoreTest {
    private static final Instant NOON = Instant.parse("2026-03-29T12:00:00Z");

    private final InMemoryOutboxStore outbox = new InMemoryOutboxStore();

    @Test
    void showsWhatWasEnqueuedInTheOrderItWasEnqueued() {
        List<OutboxEntry> entries =
                IntStream.range(0, 100).mapToObj(n -> entry("key-" + n)).toList();
        entries.forEach(outbox::enqueue);
        assertThat(outbox.records()).extracting(OutboxRecord::entry).isEqualTo(entries);
    }

    @Test
    void acceptsAnEnqueueOutsideATransactionUnlessItIsToldNotTo() {
        outbox.enqueue(entry("a"));
        InMemoryOutboxStore strict =
                InMemoryOutboxStore.builder().transactionRequired().build();
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> strict.enqueue(entry("a")))
                .matches(refused -> refused.code().equals(OutboxException.TRANSACTION_REQUIRED));
        strict.inTransaction(() -> strict.enqueue(entry("a")));
        assertThat(strict.records()).hasSize(1);
    }

    @Test
    void undoesATransactionThatThrowsAndWhatWasJoinedToIt() {
        OutboxEntry before = entry("before");
        outbox.enqueue(before);
        assertThatIllegalStateException()
                .isThrownBy(() -> outbox.inTransaction(() -> {
                    outbox.inTransaction(() -> outbox.enqueue(entry("inner")));
                    outbox.claimDue(NOON.plusSeconds(1), 1, "worker");
                    throw new IllegalStateException("the business failed");
                }));
        assertThat(outbox.records()).containsExactly(new OutboxRecord(before, null, null, null));
    }

    @Test
    void keepsTheRestOfATransactionAfterARefusal() {
        outbox.inTransaction(() -> {
            outbox.enqueue(entry("a"));
            assertThatExceptionOfType(OutboxConflictException.class).isThrownBy(() -> outbox.enqueue(entry("a")));
            outbox.enqueue(entry("b"));
        });
        assertThat(outbox.records()).hasSize(2);
    }

    @Test
    void stampsTheEndByItsClock() {
        InMemoryOutboxStore store = InMemoryOutboxStore.builder()
                .clock(Clock.fixed(NOON.plusNanos(1_999), ZoneOffset.UTC))
                .build();
        OutboxEntry entry = entry("a");
        store.enqueue(entry);
        store.claimDue(NOON, 1, "worker");
        store.markCompleted(entry.outboxId());
        assertThat(store.get(entry.outboxId()).entry().completedAt()).isEqualTo(NOON.plusNanos(1_000));
    }

    @Test
    void refusesWhatTheParserRefusesAndWhatIsTooLong() {
        InMemoryOutboxStore store = InMemoryOutboxStore.builder()
                .payloadCheck(Integer::parseInt)
                .maxPayload(3)
                .build();
        store.enqueue(entry("a").toBuilder().payload("123").build());
        for (String payload : List.of("{}", "1234")) {
            assertThatExceptionOfType(InvalidRecordException.class)
                    .isThrownBy(() -> store.enqueue(
                            entry("b").toBuilder().payload(payload).build()));
        }
        assertThat(store.records()).hasSize(1);
    }

    @Test
    void takesARecordAsItStandsIfItsPartsFitItsStatus() {
        OutboxEntry pending = entry("a");
        OutboxEntry dispatching =
                pending.toBuilder().status(OutboxStatus.DISPATCHING).build();
        OutboxEntry completed = pending.toBuilder()
                .status(OutboxStatus.COMPLETED)
                .completedAt(NOON)
                .build();
        OutboxClaim claim = new OutboxClaim("worker", NOON);
        for (OutboxRecord fits : List.of(
                new OutboxRecord(pending, null, "some.reason", null),
                new OutboxRecord(dispatching, claim, null, null),
                new OutboxRecord(completed, null, null, "ref"))) {
            outbox.put(fits);
            assertThat(outbox.records()).containsExactly(fits);
        }
        for (OutboxRecord misfit : List.of(
                new OutboxRecord(pending, claim, null, null),
                new OutboxRecord(dispatching, null, null, null),
                new OutboxRecord(completed.toBuilder().completedAt(null).build(), null, null, null),
                new OutboxRecord(pending.toBuilder().completedAt(NOON).build(), null, null, null))) {
            assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> outbox.put(misfit));
        }
    }

    @Test
    void letsManyThreadsClaimEveryEntryOnce() throws Exception {
        outbox.enqueueAll(
                IntStream.range(0, 400).mapToObj(n -> entry("key-" + n)).toList());
        Callable<List<UUID>> drain = () -> {
            List<UUID> claimed = new ArrayList<>();
            List<OutboxEntry> batch;
            do {
                batch = outbox.claimDue(NOON, 3, "worker");
                batch.forEach(entry -> claimed.add(entry.outboxId()));
            } while (!batch.isEmpty());
            return claimed;
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Set<UUID> claimed = new HashSet<>();
            int count = 0;
            for (Future<List<UUID>> worker : threads.invokeAll(List.of(drain, drain, drain, drain))) {
                claimed.addAll(worker.get());
                count += worker.get().size();
            }
            assertThat(claimed).hasSize(400);
            assertThat(count).isEqualTo(400);
        } finally {
            threads.shutdownNow();
        }
    }

    private static OutboxEntry entry(String key) {
        return OutboxEntry.pending(new UUID(1, 2), "airline", key, "{}").toBuilder()
                .createdAt(NOON)
                .build();
    }
}
