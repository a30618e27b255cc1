package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The store under test, and how a case gets its rows. Every case starts with an empty store. */
interface StoreFixture {
    /** When the rows of a case are created, unless it says otherwise: long past for every clock. */
    Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

    /** Not due for any clock. */
    Instant FAR = Instant.parse("2999-01-01T00:00:00Z");

    String WORKER = "worker-a";

    DispatchStore store();

    /** Runs {@code work} in a transaction of its own and commits it. */
    void inTransaction(Runnable work);

    /** All that is kept about a row, to compare with what is kept later; null if there is none. */
    Object stored(UUID id);

    // entries

    /** A valid entry, unlike every other. */
    default OutboxEntry entry() {
        UUID id = UUID.randomUUID();
        return OutboxEntry.builder()
                .outboxId(id)
                .commandId(UUID.randomUUID())
                .destination("airline")
                .idempotencyKey("key-" + id)
                .payload("{\"booking\":1}")
                .createdAt(T0)
                .build();
    }

    default UUID enqueue(OutboxEntry entry) {
        inTransaction(() -> store().enqueue(entry));
        return entry.outboxId();
    }

    /** Settles, with nothing to journal. */
    default Set<UUID> settle(UUID token, List<Settlement> settlements) {
        return store().settle(Map.of(token, settlements), List.of());
    }

    // rows in each status

    default UUID pending() {
        return enqueue(entry());
    }

    /** Claimed by {@link #WORKER} at {@link #T0}. */
    default UUID dispatching() {
        UUID id = pending();
        claimAgain(id);
        return id;
    }

    /** Claims at {@link #T0} the only row that is due then. */
    default void claimAgain(UUID id) {
        assertThat(store().claimDue(T0, 10, WORKER))
                .extracting(OutboxEntry::outboxId)
                .containsExactly(id);
    }

    default UUID completed() {
        UUID id = dispatching();
        store().markCompleted(id);
        return id;
    }

    default UUID failed() {
        UUID id = dispatching();
        store().markFailed(id, "first.reason", null);
        return id;
    }

    default UUID unknown() {
        UUID id = dispatching();
        store().markOutcomeUnknown(id, null);
        return id;
    }

    // claims with a fence

    /** A claim of any bytes, by {@link #WORKER}, for destinations that do not deduplicate. */
    default ClaimRequest request(int limit, UUID token, Set<String> excluded) {
        return new ClaimRequest(limit, Long.MAX_VALUE, WORKER, token, excluded, Set.of());
    }

    /** Claims all that is due now under {@code token}. */
    default List<ClaimedEntry> claim(UUID token) {
        return store().claim(request(100, token, Set.of()));
    }

    /** As {@link #claim}, while {@code deduplicating} is declared to deduplicate. */
    default List<ClaimedEntry> claimUnmarked(String deduplicating) {
        return store().claim(new ClaimRequest(
                100, Long.MAX_VALUE, WORKER, UUID.randomUUID(), Set.of(), Set.of(deduplicating)));
    }

    /** A row that is claimed under {@code token}. */
    default UUID claimed(UUID token) {
        UUID id = pending();
        assertThat(claim(token)).extracting(c -> c.entry().outboxId()).containsExactly(id);
        return id;
    }

    // what became of it

    default OutboxRecord record(UUID id) {
        return store().get(id);
    }

    default OutboxStatus status(UUID id) {
        return record(id).entry().status();
    }

    /** {@code call} is refused for the status the row is in, and writes nothing. */
    default void assertConflict(UUID id, ThrowingCallable call) {
        Object before = stored(id);
        assertThat(before).isNotNull();
        OutboxException refusal = catchThrowableOfType(OutboxException.class, call);
        assertThat(refusal).isExactlyInstanceOf(OutboxConflictException.class);
        assertThat(refusal.code()).isEqualTo("turnframe.store.conflict");
        assertThat(refusal.outboxId()).isEqualTo(id);
        assertThat(stored(id)).isEqualTo(before);
    }

    default void assertInvalid(ThrowingCallable call) {
        OutboxException refusal = catchThrowableOfType(OutboxException.class, call);
        assertThat(refusal).isExactlyInstanceOf(InvalidRecordException.class);
        assertThat(refusal.code()).isEqualTo("turnframe.store.invalid_record");
    }

    default void assertNotFound(UUID id, ThrowingCallable call) {
        OutboxException refusal = catchThrowableOfType(OutboxException.class, call);
        assertThat(refusal).isExactlyInstanceOf(OutboxNotFoundException.class);
        assertThat(refusal.code()).isEqualTo("turnframe.store.not_found");
        assertThat(refusal.outboxId()).isEqualTo(id);
    }

    /** {@code call} is accepted as a repeat. */
    default void assertChangesNothing(UUID id, Runnable call) {
        Object before = stored(id);
        assertThat(before).isNotNull();
        call.run();
        assertThat(stored(id)).isEqualTo(before);
    }
}
