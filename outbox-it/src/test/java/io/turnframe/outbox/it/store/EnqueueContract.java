package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.it.harness.Payloads;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Enqueue: in the caller's transaction, all or none, and what it refuses. */
interface EnqueueContract extends StoreFixture {
    // what is stored

    @Test
    default void storesAPendingEntryAsItWasGiven() {
        OutboxEntry entry = entry().toBuilder().nextAttemptAt(FAR).build();
        enqueue(entry);
        assertThat(record(entry.outboxId())).isEqualTo(new OutboxRecord(entry, null, null, null));
    }

    @Test
    default void keepsInstantsToTheMicrosecond() {
        OutboxEntry entry = entry().toBuilder()
                .createdAt(T0.plusNanos(123_456_999))
                .nextAttemptAt(FAR.plusNanos(999_999_999))
                .build();
        enqueue(entry);
        OutboxEntry stored = record(entry.outboxId()).entry();
        assertThat(stored.createdAt()).isEqualTo(T0.plusNanos(123_456_000));
        assertThat(stored.nextAttemptAt()).isEqualTo(FAR.plusNanos(999_999_000));
    }

    @Test
    default void keepsTheFirstAndTheLastInstant() {
        OutboxEntry entry = entry().toBuilder()
                .createdAt(OutboxEntry.MIN_INSTANT)
                .nextAttemptAt(OutboxEntry.MAX_INSTANT)
                .build();
        enqueue(entry);
        OutboxEntry stored = record(entry.outboxId()).entry();
        assertThat(stored.createdAt()).isEqualTo(OutboxEntry.MIN_INSTANT);
        assertThat(stored.nextAttemptAt()).isEqualTo(OutboxEntry.MAX_INSTANT);
    }

    /** The first attempt, and those after a retry, after a give-back, and after a release. */
    @Test
    default void keepsEveryPayloadAsItWasGivenOnEveryAttempt() {
        Payloads.kept().forEach((name, payload) -> {
            UUID id = enqueue(entry().toBuilder().payload(payload).build());
            assertSame(name, payload, record(id).entry());
            UUID token = UUID.randomUUID();
            assertSame(name, payload, claim(token).get(0).entry());
            settle(token, List.of(Settlement.retry(id, "busy", Duration.ZERO)));
            store().promoteDue(10);
            assertSame(name, payload, claim(token).get(0).entry());
            store().giveBack(token, List.of(id));
            assertSame(name, payload, claim(token).get(0).entry());
            assertThat(store().releaseExpiredClaims(FAR)).containsExactly(id);
            assertSame(name, payload, store().claimDue(T0, 10, WORKER).get(0));
            store().markCompleted(id);
            assertSame(name, payload, record(id).entry());
        });
    }

    /** Not assertThat(text): megabytes would stand in the message. */
    private static void assertSame(String name, String payload, OutboxEntry entry) {
        assertThat(entry.payload().equals(payload)).as(name).isTrue();
    }

    @Test
    default void acceptsTheLongestDestinationAndKey() {
        OutboxEntry entry = entry().toBuilder()
                .destination("d".repeat(200))
                .idempotencyKey("\u00E9".repeat(255))
                .build();
        enqueue(entry);
        assertThat(record(entry.outboxId()).entry()).isEqualTo(entry);
    }

    @Test
    default void keepsNothingWhenTheTransactionRollsBack() {
        OutboxEntry entry = entry();
        catchThrowableOfType(
                IllegalStateException.class,
                () -> inTransaction(() -> {
                    store().enqueue(entry);
                    assertThat(status(entry.outboxId())).isEqualTo(OutboxStatus.PENDING);
                    throw new IllegalStateException("the business failed");
                }));
        assertThat(stored(entry.outboxId())).isNull();
    }

    // duplicates

    @Test
    default void refusesASecondEntryWithTheSameId() {
        OutboxEntry first = entry();
        enqueue(first);
        assertDuplicate(
                first.outboxId(), entry().toBuilder().outboxId(first.outboxId()).build());
    }

    @Test
    default void refusesASecondEntryWithTheSameDestinationAndKey() {
        OutboxEntry first = entry();
        enqueue(first);
        assertDuplicate(
                first.outboxId(),
                entry().toBuilder().idempotencyKey(first.idempotencyKey()).build());
    }

    @Test
    default void refusesADuplicateOfTheSameTransactionAndKeepsTheFirst() {
        OutboxEntry first = entry();
        OutboxEntry second =
                entry().toBuilder().idempotencyKey(first.idempotencyKey()).build();
        inTransaction(() -> {
            store().enqueue(first);
            assertThat(conflictOf(second)).isEqualTo(second.outboxId());
        });
        assertThat(stored(first.outboxId())).isNotNull();
        assertThat(stored(second.outboxId())).isNull();
    }

    @Test
    default void acceptsTheSameKeyForAnotherDestination() {
        OutboxEntry first = entry();
        enqueue(first);
        enqueue(entry().toBuilder()
                .destination("hotel")
                .idempotencyKey(first.idempotencyKey())
                .build());
    }

    @Test
    default void tellsKeysAndDestinationsApartByteByByte() {
        for (String key : List.of("key", "KEY", "key ", " key", "k\u00E9y", "ke\u0301y", "stra\u00DFe", "strasse")) {
            UUID id = enqueue(entry().toBuilder().idempotencyKey(key).build());
            assertThat(record(id).entry().idempotencyKey()).isEqualTo(key);
        }
        for (String destination : List.of("AIRLINE", "airline ", "airlin\u00E9")) {
            enqueue(entry().toBuilder()
                    .destination(destination)
                    .idempotencyKey("key")
                    .build());
        }
    }

    // many at once

    @Test
    default void storesManyInTheOrderTheyAreClaimed() {
        List<OutboxEntry> entries = IntStream.range(0, 2_500)
                .mapToObj(n -> entry().toBuilder().createdAt(T0.minusMillis(n)).build())
                .toList();
        inTransaction(() -> store().enqueueAll(entries));
        assertThat(store().claimDue(T0, 10_000, WORKER))
                .hasSize(2_500)
                .extracting(OutboxEntry::createdAt)
                .isSorted();
    }

    @Test
    default void storesNoneOfManyWhenOneExists() {
        OutboxEntry existing = entry();
        enqueue(existing);
        List<OutboxEntry> entries =
                new ArrayList<>(IntStream.range(0, 1_200).mapToObj(n -> entry()).toList());
        OutboxEntry duplicate =
                entry().toBuilder().idempotencyKey(existing.idempotencyKey()).build();
        entries.add(1_100, duplicate);
        OutboxEntry other = entry();
        inTransaction(() -> {
            assertThat(conflictOf(entries)).isEqualTo(duplicate.outboxId());
            store().enqueue(other);
        });
        assertThat(entries)
                .allSatisfy(entry -> assertThat(stored(entry.outboxId())).isNull());
        assertThat(stored(other.outboxId())).isNotNull();
        assertThat(record(existing.outboxId()).entry()).isEqualTo(existing);
    }

    @Test
    default void storesNoneOfManyWhenOneStandsTwiceInTheList() {
        OutboxEntry twice = entry();
        List<OutboxEntry> sameId = List.of(entry(), twice, entry(), twice);
        List<OutboxEntry> sameKey = List.of(
                twice,
                entry(),
                entry().toBuilder().idempotencyKey(twice.idempotencyKey()).build());
        inTransaction(() -> {
            assertThat(conflictOf(sameId)).isEqualTo(twice.outboxId());
            assertThat(conflictOf(sameKey)).isEqualTo(sameKey.get(2).outboxId());
        });
        assertThat(sameId)
                .allSatisfy(entry -> assertThat(stored(entry.outboxId())).isNull());
        assertThat(sameKey)
                .allSatisfy(entry -> assertThat(stored(entry.outboxId())).isNull());
    }

    /** Its key exists; the second with its id, and a key of its own, could have been stored. */
    @Test
    default void namesTheFirstThatExistsThoughItsIdStandsTwice() {
        OutboxEntry existing = entry();
        OutboxEntry other = entry();
        inTransaction(() -> store().enqueueAll(List.of(existing, other)));
        OutboxEntry first =
                entry().toBuilder().idempotencyKey(existing.idempotencyKey()).build();
        OutboxEntry between =
                entry().toBuilder().idempotencyKey(other.idempotencyKey()).build();
        OutboxEntry second = entry().toBuilder().outboxId(first.outboxId()).build();
        inTransaction(
                () -> assertThat(conflictOf(List.of(first, between, second))).isEqualTo(first.outboxId()));
        assertThat(stored(first.outboxId())).isNull();
        assertThat(stored(between.outboxId())).isNull();
    }

    @Test
    default void storesNoneOfManyWhenOneIsInvalid() {
        OutboxEntry valid = entry();
        inTransaction(() -> assertInvalid(() -> store().enqueueAll(
                        List.of(valid, entry().toBuilder().payload("no json").build()))));
        assertThat(stored(valid.outboxId())).isNull();
    }

    @Test
    default void acceptsAnEmptyList() {
        inTransaction(() -> store().enqueueAll(List.of()));
    }

    // refusals

    @Test
    default void refusesToEnqueueOutsideATransaction() {
        OutboxEntry entry = entry();
        OutboxException refusal = catchThrowableOfType(OutboxException.class, () -> store().enqueue(entry));
        assertThat(refusal.code()).isEqualTo("turnframe.store.transaction_required");
        assertThat(stored(entry.outboxId())).isNull();
        refusal = catchThrowableOfType(OutboxException.class, () -> store().enqueueAll(List.of(entry)));
        assertThat(refusal.code()).isEqualTo("turnframe.store.transaction_required");
        assertThat(stored(entry.outboxId())).isNull();
    }

    @Test
    default void refusesAnEntryThatIsNotNew() {
        for (OutboxStatus status : OutboxStatus.values()) {
            if (status != OutboxStatus.PENDING) {
                assertRefused(entry -> entry.status(status));
            }
        }
        assertRefused(entry -> entry.attemptCount(1));
        assertRefused(entry -> entry.attemptCount(-1));
        assertRefused(entry -> entry.completedAt(T0));
    }

    @Test
    default void refusesAPayloadThatIsNotOneJsonValue() {
        Payloads.refused().values().forEach(payload -> assertRefused(entry -> entry.payload(payload)));
        Payloads.halves().values().forEach(payload -> assertRefused(entry -> entry.payload(payload)));
    }

    @Test
    default void refusesAPayloadBeyondEightMebibytes() {
        String fits = "\"" + "x".repeat(8 * 1024 * 1024 - 2) + "\"";
        enqueue(entry().toBuilder().payload(fits).build());
        assertRefused(entry -> entry.payload(fits + " "));
        // Bytes count, not characters.
        assertRefused(entry -> entry.payload("\"" + "\u20AC".repeat(3 * 1024 * 1024) + "\""));
    }

    @Test
    default void refusesABlankOrOverlongDestinationOrKey() {
        for (String blank : List.of("", " ", "\t", "\u2003")) {
            assertRefused(entry -> entry.destination(blank));
            assertRefused(entry -> entry.idempotencyKey(blank));
        }
        assertRefused(entry -> entry.destination("d".repeat(201)));
        assertRefused(entry -> entry.destination("d".repeat(300)));
        assertRefused(entry -> entry.idempotencyKey("k".repeat(256)));
    }

    @Test
    default void refusesControlCharactersInDestinationAndKey() {
        for (String control : List.of("\u0000", "\r", "\n", "\r\n", "\t", "\u007F", "\u0085", "\uD83D")) {
            assertRefused(entry -> entry.destination("a" + control + "b"));
            assertRefused(entry -> entry.idempotencyKey("a" + control + "b"));
        }
    }

    @Test
    default void refusesNull() {
        inTransaction(() -> {
            assertInvalid(() -> store().enqueue(null));
            assertInvalid(() -> store().enqueueAll(null));
            List<OutboxEntry> holed = new ArrayList<>(List.of(entry()));
            holed.add(null);
            assertInvalid(() -> store().enqueueAll(holed));
            assertThat(stored(holed.get(0).outboxId())).isNull();
        });
    }

    /** The valid entry with this change is refused, writes nothing, and lets the caller commit. */
    private void assertRefused(UnaryOperator<OutboxEntry.Builder> change) {
        OutboxEntry invalid = change.apply(entry().toBuilder()).build();
        OutboxEntry other = entry();
        inTransaction(() -> {
            assertInvalid(() -> store().enqueue(invalid));
            store().enqueue(other);
        });
        assertThat(stored(invalid.outboxId())).isNull();
        assertThat(stored(other.outboxId())).isNotNull();
    }

    /** {@code duplicate} is refused, the row that exists stays as it is, and the caller may commit the rest. */
    private void assertDuplicate(UUID existing, OutboxEntry duplicate) {
        Object before = stored(existing);
        OutboxEntry earlier = entry();
        OutboxEntry later = entry();
        inTransaction(() -> {
            store().enqueue(earlier);
            assertThat(conflictOf(duplicate)).isEqualTo(duplicate.outboxId());
            store().enqueue(later);
        });
        assertThat(stored(existing)).isEqualTo(before);
        assertThat(stored(earlier.outboxId())).isNotNull();
        assertThat(stored(later.outboxId())).isNotNull();
    }

    private UUID conflictOf(OutboxEntry entry) {
        return conflictOf(List.of(entry));
    }

    /** The id that the refusal names. */
    private UUID conflictOf(List<OutboxEntry> entries) {
        OutboxException refusal = catchThrowableOfType(OutboxException.class, () -> {
            if (entries.size() == 1) {
                store().enqueue(entries.get(0));
            } else {
                store().enqueueAll(entries);
            }
        });
        assertThat(refusal).isExactlyInstanceOf(OutboxConflictException.class);
        assertThat(refusal.code()).isEqualTo("turnframe.store.conflict");
        return refusal.outboxId();
    }
}
