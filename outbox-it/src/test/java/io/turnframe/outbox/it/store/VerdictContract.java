package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The settlements by id alone: one case for each cell of the transition table. */
interface VerdictContract extends StoreFixture {
    // markCompleted

    @Test
    default void refusesToCompleteAPendingEntry() {
        UUID id = pending();
        assertConflict(id, () -> store().markCompleted(id));
    }

    @Test
    default void completesADispatchingEntry() {
        UUID id = dispatching();
        store().markCompleted(id);
        assertTerminal(id, OutboxStatus.COMPLETED);
    }

    @Test
    default void completesAnUnknownEntryAndKeepsItsReference() {
        UUID id = dispatching();
        store().markOutcomeUnknown(id, "ref-1");
        store().markCompleted(id);
        assertTerminal(id, OutboxStatus.COMPLETED);
        assertThat(record(id).remoteRef()).isEqualTo("ref-1");
    }

    @Test
    default void acceptsToCompleteACompletedEntryAgain() {
        UUID id = completed();
        assertChangesNothing(id, () -> store().markCompleted(id));
    }

    @Test
    default void refusesToCompleteAFailedEntry() {
        UUID id = failed();
        assertConflict(id, () -> store().markCompleted(id));
    }

    // markFailed without a retry

    @Test
    default void refusesToFailAPendingEntry() {
        UUID id = pending();
        assertConflict(id, () -> store().markFailed(id, "some.reason", null));
    }

    @Test
    default void failsADispatchingEntry() {
        UUID id = dispatching();
        store().markFailed(id, "some.reason", null);
        assertTerminal(id, OutboxStatus.FAILED);
        assertThat(record(id).lastFailure()).isEqualTo("some.reason");
    }

    @Test
    default void failsAnUnknownEntry() {
        UUID id = unknown();
        store().markFailed(id, "some.reason", null);
        assertTerminal(id, OutboxStatus.FAILED);
        assertThat(record(id).lastFailure()).isEqualTo("some.reason");
    }

    @Test
    default void refusesToFailACompletedEntry() {
        UUID id = completed();
        assertConflict(id, () -> store().markFailed(id, "some.reason", null));
    }

    @Test
    default void acceptsToFailAFailedEntryAgainAndKeepsTheFirstReason() {
        UUID id = failed();
        assertChangesNothing(id, () -> store().markFailed(id, "second.reason", null));
        assertThat(record(id).lastFailure()).isEqualTo("first.reason");
    }

    // markFailed with a retry

    @Test
    default void movesTheTimeOfAPendingEntryThatIsToBeRetried() {
        UUID id = pending();
        store().markFailed(id, "some.reason", FAR);
        assertPending(id, FAR);
        assertThat(record(id).lastFailure()).isEqualTo("some.reason");
        store().markFailed(id, "other.reason", T0);
        assertPending(id, T0);
        assertThat(record(id).lastFailure()).isEqualTo("other.reason");
    }

    @Test
    default void retriesADispatchingEntry() {
        UUID id = dispatching();
        store().markFailed(id, "some.reason", FAR);
        assertPending(id, FAR);
        assertThat(record(id).lastFailure()).isEqualTo("some.reason");
        assertThat(record(id).entry().attemptCount()).isEqualTo(1);
    }

    @Test
    default void retriesAnUnknownEntry() {
        UUID id = unknown();
        store().markFailed(id, "some.reason", FAR);
        assertPending(id, FAR);
        assertThat(record(id).lastFailure()).isEqualTo("some.reason");
    }

    @Test
    default void refusesToRetryACompletedEntry() {
        UUID id = completed();
        assertConflict(id, () -> store().markFailed(id, "some.reason", FAR));
    }

    @Test
    default void refusesToRetryAFailedEntry() {
        UUID id = failed();
        assertConflict(id, () -> store().markFailed(id, "some.reason", FAR));
    }

    // markOutcomeUnknown

    @Test
    default void refusesToSetAPendingEntryToUnknown() {
        UUID id = pending();
        assertConflict(id, () -> store().markOutcomeUnknown(id, "ref-1"));
    }

    @Test
    default void setsADispatchingEntryToUnknown() {
        UUID id = dispatching();
        store().markOutcomeUnknown(id, "ref-1");
        assertThat(record(id).entry().status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(record(id).entry().completedAt()).isNull();
        assertThat(record(id).claim()).isNull();
        assertThat(record(id).remoteRef()).isEqualTo("ref-1");
    }

    @Test
    default void keepsTheReferenceWhenAnEntryBecomesUnknownWithoutOne() {
        UUID id = dispatchingAgainWith("ref-1");
        store().markOutcomeUnknown(id, null);
        assertThat(status(id)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(record(id).remoteRef()).isEqualTo("ref-1");
    }

    @Test
    default void replacesTheReferenceWhenAnEntryBecomesUnknownWithAnother() {
        UUID id = dispatchingAgainWith("ref-1");
        store().markOutcomeUnknown(id, "ref-2");
        assertThat(record(id).remoteRef()).isEqualTo("ref-2");
    }

    @Test
    default void fillsInTheReferenceOfAnUnknownEntryThatHasNone() {
        UUID id = unknown();
        assertChangesNothing(id, () -> store().markOutcomeUnknown(id, null));
        store().markOutcomeUnknown(id, "ref-1");
        assertThat(status(id)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(record(id).remoteRef()).isEqualTo("ref-1");
    }

    @Test
    default void keepsTheReferenceOfAnUnknownEntryThatHasOne() {
        UUID id = dispatching();
        store().markOutcomeUnknown(id, "ref-1");
        assertChangesNothing(id, () -> store().markOutcomeUnknown(id, "ref-2"));
        assertChangesNothing(id, () -> store().markOutcomeUnknown(id, null));
    }

    @Test
    default void refusesToSetACompletedEntryToUnknown() {
        UUID id = completed();
        assertConflict(id, () -> store().markOutcomeUnknown(id, "ref-1"));
    }

    @Test
    default void refusesToSetAFailedEntryToUnknown() {
        UUID id = failed();
        assertConflict(id, () -> store().markOutcomeUnknown(id, "ref-1"));
    }

    // reschedule

    @Test
    default void reschedulesAPendingEntry() {
        UUID id = pending();
        store().reschedule(id, FAR);
        assertPending(id, FAR);
        store().reschedule(id, T0);
        assertPending(id, T0);
    }

    @Test
    default void reschedulesADispatchingEntryAndKeepsItsLastFailure() {
        UUID id = pending();
        store().markFailed(id, "some.reason", T0);
        claimAgain(id);
        store().reschedule(id, FAR);
        assertPending(id, FAR);
        assertThat(record(id).lastFailure()).isEqualTo("some.reason");
        assertThat(record(id).entry().attemptCount()).isEqualTo(1);
    }

    @Test
    default void reschedulesAnUnknownEntry() {
        UUID id = unknown();
        store().reschedule(id, FAR);
        assertPending(id, FAR);
    }

    @Test
    default void refusesToRescheduleACompletedEntry() {
        UUID id = completed();
        assertConflict(id, () -> store().reschedule(id, FAR));
    }

    @Test
    default void refusesToRescheduleAFailedEntry() {
        UUID id = failed();
        assertConflict(id, () -> store().reschedule(id, FAR));
    }

    @Test
    default void cutsTimesToTheMicrosecond() {
        UUID id = pending();
        store().reschedule(id, T0.plusNanos(1_999));
        assertPending(id, T0.plusNanos(1_000));
        store().markFailed(id, "some.reason", T0.plusNanos(2_999));
        assertPending(id, T0.plusNanos(2_000));
    }

    // refusals of all of them

    @Test
    default void refusesAVerdictOnAnUnknownId() {
        UUID id = UUID.randomUUID();
        assertNotFound(id, () -> store().markCompleted(id));
        assertNotFound(id, () -> store().markFailed(id, "some.reason", null));
        assertNotFound(id, () -> store().markFailed(id, "some.reason", FAR));
        assertNotFound(id, () -> store().markOutcomeUnknown(id, "ref-1"));
        assertNotFound(id, () -> store().markOutcomeUnknown(id, null));
        assertNotFound(id, () -> store().reschedule(id, FAR));
        assertThat(stored(id)).isNull();
    }

    @Test
    default void refusesAVerdictWithoutAnId() {
        assertInvalid(() -> store().markCompleted(null));
        assertInvalid(() -> store().markFailed(null, "some.reason", null));
        assertInvalid(() -> store().markOutcomeUnknown(null, "ref-1"));
        assertInvalid(() -> store().reschedule(null, FAR));
    }

    @Test
    default void refusesAReasonThatIsNoCode() {
        UUID id = dispatching();
        Object before = stored(id);
        for (String reason : new String[] {null, "", " ", "c".repeat(129), "a\nb"}) {
            assertInvalid(() -> store().markFailed(id, reason, null));
            assertInvalid(() -> store().markFailed(id, reason, FAR));
        }
        assertThat(stored(id)).isEqualTo(before);
        store().markFailed(id, "c".repeat(128), null);
    }

    @Test
    default void refusesABlankOrOverlongReference() {
        UUID id = dispatching();
        Object before = stored(id);
        for (String reference : new String[] {"", " ", "r".repeat(513), "a\u0000b"}) {
            assertInvalid(() -> store().markOutcomeUnknown(id, reference));
        }
        assertThat(stored(id)).isEqualTo(before);
        store().markOutcomeUnknown(id, "r".repeat(512));
    }

    @Test
    default void refusesATimeOutsideTheYears1600To9999() {
        UUID id = dispatching();
        Object before = stored(id);
        for (Instant time : new Instant[] {
            Instant.MIN, Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("+10000-01-01T00:00:00Z"), Instant.MAX
        }) {
            assertInvalid(() -> store().reschedule(id, time));
            assertInvalid(() -> store().markFailed(id, "some.reason", time));
        }
        assertInvalid(() -> store().reschedule(id, null));
        assertThat(stored(id)).isEqualTo(before);
    }

    @Test
    default void letsTheCallerCommitAfterARefusal() {
        UUID failed = failed();
        UUID open = dispatching();
        inTransaction(() -> {
            store().markCompleted(open);
            assertConflict(failed, () -> store().markCompleted(failed));
        });
        assertThat(status(open)).isEqualTo(OutboxStatus.COMPLETED);
    }

    private UUID dispatchingAgainWith(String reference) {
        UUID id = dispatching();
        store().markOutcomeUnknown(id, reference);
        store().reschedule(id, T0);
        claimAgain(id);
        return id;
    }

    private void assertPending(UUID id, Instant dueAt) {
        OutboxRecord record = record(id);
        assertThat(record.entry().status()).isEqualTo(OutboxStatus.PENDING);
        assertThat(record.entry().nextAttemptAt()).isEqualTo(dueAt);
        assertThat(record.entry().completedAt()).isNull();
        assertThat(record.claim()).isNull();
    }

    private void assertTerminal(UUID id, OutboxStatus status) {
        OutboxRecord record = record(id);
        assertThat(record.entry().status()).isEqualTo(status);
        assertThat(record.entry().completedAt()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        assertThat(record.claim()).isNull();
    }
}
