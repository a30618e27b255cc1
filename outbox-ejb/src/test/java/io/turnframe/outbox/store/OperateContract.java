package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators do to an entry, and what is on record of it, on every database. */
abstract class OperateContract extends StageFixture {
    private static final Act ANN = Act.of("ann", "they said so");
    private static final Act BOB = Act.of("bob", "seen on their page");

    private final List<AuditRecord> heard = new ArrayList<>();

    private AuditStage audit;
    private StoryStage story;
    private OperateStage operate;

    OperateContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void build() {
        audit = new AuditStage(dataSource, stageDatabase(), heard::add);
        story = new StoryStage(query, audit, dataSource, stageDatabase());
        operate = new OperateStage(em, stageDatabase(), verdict, story, audit);
    }

    @Test
    void completesAndRecordsItOnce() {
        UUID id = unknown("a");
        act(() -> operate.complete(id, ANN, T0));
        act(() -> operate.complete(id, BOB, T0));

        assertThat(status(id)).isEqualTo(OutboxStatus.COMPLETED);
        AuditRecord record = onlyRecord(id);
        assertThat(record)
                .isEqualTo(new AuditRecord(
                        record.auditId(),
                        T0,
                        "ann",
                        "complete",
                        id,
                        1,
                        "airline",
                        OutboxStatus.OUTCOME_UNKNOWN,
                        OutboxStatus.COMPLETED,
                        "they said so",
                        null));
        assertThat(heard).containsExactly(record);
    }

    @Test
    void failsWithACode() {
        UUID id = unknown("a");
        act(() -> operate.fail(id, "airline.never_booked", Act.of("ann", null), T0));

        assertThat(read.get(id).lastFailure()).isEqualTo("airline.never_booked");
        assertThat(onlyRecord(id).detail()).isEqualTo("code=airline.never_booked");
        assertThat(onlyRecord(id).note()).isNull();
    }

    @Test
    void reschedulesNothingThatIsNotPending() {
        UUID id = store(entry("a").build()).outboxId();
        Instant later = T0.plusSeconds(60);
        act(() -> operate.reschedule(id, later, ANN, T0));
        assertThat(read.get(id).entry().nextAttemptAt()).isEqualTo(later);
        assertThat(onlyRecord(id).detail()).isEqualTo("next_attempt_at=" + later);

        assertRefused(unknown("b"), other -> operate.reschedule(other, later, ANN, T0));
        assertRefused(dispatching("c"), other -> operate.reschedule(other, later, ANN, T0));
    }

    @Test
    void resubmitsAFailedEntryWithItsWholeBudget() {
        UUID id = failed("a");
        act(() -> operate.resubmit(id, ANN, T0));

        OutboxRecord stored = read.get(id);
        assertThat(stored.entry().status()).isEqualTo(OutboxStatus.PENDING);
        assertThat(stored.entry().completedAt()).isNull();
        assertThat(stored.entry().attemptCount()).isEqualTo(1);
        assertThat(stored.lastFailure()).isEqualTo("airline.full");
        assertThat(onlyRecord(id).fromStatus()).isEqualTo(OutboxStatus.FAILED);
        assertThat(onlyRecord(id).toStatus()).isEqualTo(OutboxStatus.PENDING);
        List<ClaimedEntry> claimed = in(() -> claim.claim(request(10, Set.of()), T0));
        assertThat(claimed)
                .extracting(ClaimedEntry::budgetUsed)
                .as("of the budget")
                .containsExactly(1);

        assertRefused(id, other -> operate.resubmit(other, ANN, T0));
        assertRefused(unknown("b"), other -> operate.resubmit(other, ANN, T0));
    }

    @Test
    void authorisesAResendWithEvidenceAlone() {
        UUID id = unknown("a");
        assertThatExceptionOfType(InvalidRecordException.class)
                .isThrownBy(() -> in(() -> operate.authoriseResend(id, Act.of("ann", null), false, T0)));

        Authorisation authorised = in(() -> operate.authoriseResend(id, ANN, false, T0));
        assertThat(authorised).isEqualTo(new Authorisation(true, null));
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
        assertThat(onlyRecord(id).act()).isEqualTo("authorise-resend");
        assertThat(onlyRecord(id).attempt()).isEqualTo(1);
        assertThat(claimed(T0, 10)).containsExactly(id);

        assertRefused(id, other -> operate.authoriseResend(other, ANN, false, T0));
        assertRefused(failed("b"), other -> operate.authoriseResend(other, ANN, false, T0));
    }

    @Test
    void waitsForASecondPerson() {
        UUID id = unknown("a");
        assertThat(in(() -> operate.authoriseResend(id, ANN, true, T0))).isEqualTo(new Authorisation(false, "ann"));
        assertThat(in(() -> operate.authoriseResend(id, ANN, true, T0))).isEqualTo(new Authorisation(false, "ann"));
        assertThat(status(id)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(onlyRecord(id).act()).isEqualTo("request-resend");

        assertThat(in(() -> operate.authoriseResend(id, BOB, true, T0))).isEqualTo(new Authorisation(true, "ann"));
        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
        assertThat(audit.ofEntry(id)).extracting(AuditRecord::detail).containsExactly(null, "requested_by=ann");
    }

    @Test
    void forgetsAWishThatWasAboutAnEarlierAttempt() {
        UUID id = unknown("a");
        in(() -> operate.authoriseResend(id, ANN, true, T0));
        in(() -> operate.authoriseResend(id, BOB, true, T0));
        claimed(T0, 10);
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, null)), T0));

        assertThat(in(() -> operate.authoriseResend(id, BOB, true, T0))).isEqualTo(new Authorisation(false, "bob"));
        assertThat(status(id)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    @Test
    void erasesThePayloadOfAnEndedEntryAndNeverSendsItAgain() {
        UUID id = failed("a");
        act(() -> operate.erasePayload(id, ANN, T0));
        act(() -> operate.erasePayload(id, ANN, T0));

        assertThat(read.get(id).entry().payload()).isEqualTo(OperateStage.ERASED);
        assertThat(onlyRecord(id).act()).isEqualTo("erase-payload");
        assertThat(story.story(id).payloadErased()).isTrue();
        OutboxException refused =
                catchThrowableOfType(OutboxException.class, () -> act(() -> operate.resubmit(id, ANN, T0)));
        assertThat(refused.code()).isEqualTo("turnframe.admin.payload_erased");
        assertThat(status(id)).isEqualTo(OutboxStatus.FAILED);

        assertRefused(unknown("b"), other -> operate.erasePayload(other, ANN, T0));
        assertRefused(store(entry("c").build()).outboxId(), other -> operate.erasePayload(other, ANN, T0));
    }

    @Test
    void recordsEveryClaimThatIsReleasedByHand() {
        UUID marked = dispatching("a");
        in(() -> settle.mark(TOKEN, List.of(marked), T0));
        UUID unsent = dispatching("b");
        Instant later = T0.plusSeconds(300);

        in(() -> {
            Released released = release.release(later, Set.of(), later);
            operate.released(released, ANN, later);
            return released;
        });

        assertThat(onlyRecord(unsent).toStatus()).isEqualTo(OutboxStatus.PENDING);
        assertThat(onlyRecord(marked).toStatus()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(onlyRecord(marked).fromStatus()).isEqualTo(OutboxStatus.DISPATCHING);
        assertThat(onlyRecord(marked).destination()).isEqualTo("airline");
    }

    @Test
    void recordsWhoAskedARemoteAndWhatCameOfIt() {
        UUID id = unknown("a");
        ReconcileStage reconcile = new ReconcileStage(em, dataSource, stageDatabase());
        QuestionRequest request = new QuestionRequest("w", Duration.ofSeconds(30), Duration.ZERO, ANN);
        Optional<Question> question = in(() -> reconcile.take(request, id, T0));
        act(() -> audit.asked(question.orElseThrow(), T0));
        act(() -> {
            reconcile.settle(question.orElseThrow(), "w", Reconciled.resend(), T0.plusSeconds(1));
            audit.answered(question.orElseThrow(), Reconciled.resend(), T0.plusSeconds(1));
        });

        assertThat(audit.ofEntry(id))
                .extracting(AuditRecord::toStatus)
                .containsExactly(OutboxStatus.OUTCOME_UNKNOWN, OutboxStatus.PENDING);
        assertThat(audit.ofEntry(id))
                .extracting(AuditRecord::detail)
                .containsExactly("question=1", "question=1 answer=resend");
        assertThat(story.story(id).reconciliations()).hasSize(1);
    }

    @Test
    void refusesAnActOnAVersionThatIsPast() {
        UUID id = unknown("a");
        String seen = story.story(id).version();
        assertThat(story.story(id).version()).isEqualTo(seen);
        in(() -> operate.authoriseResend(id, ANN, true, T0));
        String now = story.story(id).version();
        assertThat(now).as("a wish changes the record too").isNotEqualTo(seen);

        OutboxException stale = catchThrowableOfType(
                OutboxException.class, () -> act(() -> operate.complete(id, new Act("bob", null, Set.of(seen)), T0)));
        assertThat(stale.code()).isEqualTo("turnframe.admin.stale");
        assertThat(stale.outboxId()).isEqualTo(id);
        assertThat(status(id)).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);

        act(() -> operate.complete(id, new Act("bob", null, Set.of(seen, now)), T0));
        assertThat(status(id)).isEqualTo(OutboxStatus.COMPLETED);
    }

    @Test
    void asksNoRemoteForAnActOnAVersionThatIsPast() {
        UUID id = unknown("a");
        String seen = story.story(id).version();
        in(() -> operate.authoriseResend(id, ANN, true, T0));
        String now = story.story(id).version();
        ReconcileStage reconcile = new ReconcileStage(em, dataSource, stageDatabase());

        OutboxException stale = catchThrowableOfType(
                OutboxException.class, () -> act(() -> reconcile.take(asks(Set.of(seen)), id, T0)));
        assertThat(stale.code()).isEqualTo("turnframe.admin.stale");
        assertThat(in(() -> reconcile.take(asks(Set.of(seen, now)), id, T0))).isPresent();
    }

    private static QuestionRequest asks(Set<String> versions) {
        return new QuestionRequest("w", Duration.ofSeconds(30), Duration.ZERO, new Act("bob", null, versions));
    }

    @Test
    void changesTheVersionWithEveryAttempt() {
        UUID id = unknown("a");
        String before = story.story(id).version();
        Attempt late = new Attempt(
                id, 1, "w", Duration.ofSeconds(2), Duration.ZERO, Dispatched.Kind.RETRYABLE, "busy", null, true);
        act(() -> journal.write(List.of(late), T0));

        assertThat(story.story(id).version()).isNotEqualTo(before);
        assertThat(story.story(id).attempts())
                .containsExactly(new PastAttempt(1, true, "w", T0.minusSeconds(2), T0, "retryable", "busy", null));
    }

    @Test
    void refusesAnEntryThatIsNotThere() {
        assertThatExceptionOfType(OutboxNotFoundException.class)
                .isThrownBy(() -> act(() -> operate.complete(UUID.randomUUID(), ANN, T0)));
    }

    @Test
    void keepsWhatWasDoneWhenTheEntryIsPurged() {
        UUID id = unknown("a");
        act(() -> operate.complete(id, ANN, T0));
        PurgeStage purge = new PurgeStage(em, stageDatabase());
        assertThat(in(() -> purge.purge(OutboxStatus.COMPLETED, T0.plusSeconds(1), 10)))
                .isEqualTo(1);
        assertThat(audit.ofEntry(id)).hasSize(1);
    }

    @Test
    void walksTheRecordsNewestFirst() {
        for (int i = 0; i < 7; i++) {
            AuditRecord record = AuditStage.of(AuditedAct.STOP, ANN, T0.plusSeconds(i / 2), null, "execution=" + i);
            act(() -> audit.write(record));
        }
        List<AuditRecord> walked = new ArrayList<>();
        OutboxPosition after = null;
        do {
            AuditPage page = AuditPage.of(audit.page(after, 3), 2);
            walked.addAll(page.acts());
            after = page.next();
        } while (after != null);

        assertThat(walked).containsExactlyInAnyOrderElementsOf(heard);
        assertThat(walked).extracting(AuditRecord::actedAt).isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    /** Does it in a transaction. */
    private void act(Runnable work) {
        in(() -> {
            work.run();
            return null;
        });
    }

    /** What is to be refused. */
    @FunctionalInterface
    private interface OnEntry {
        void accept(UUID id);
    }

    private void assertRefused(UUID id, OnEntry work) {
        OutboxRecord before = read.get(id);
        List<AuditRecord> recorded = audit.ofEntry(id);
        assertThatExceptionOfType(OutboxConflictException.class).isThrownBy(() -> act(() -> work.accept(id)));
        assertThat(read.get(id)).isEqualTo(before);
        assertThat(audit.ofEntry(id)).isEqualTo(recorded);
    }

    private AuditRecord onlyRecord(UUID id) {
        List<AuditRecord> records = audit.ofEntry(id);
        assertThat(records).hasSize(1);
        return records.get(0);
    }

    private OutboxStatus status(UUID id) {
        return read.get(id).entry().status();
    }

    private UUID dispatching(String key) {
        UUID id = store(entry(key).build()).outboxId();
        assertThat(claimed(T0, 10)).contains(id);
        return id;
    }

    private UUID unknown(String key) {
        UUID id = dispatching(key);
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, null)), T0));
        return id;
    }

    private UUID failed(String key) {
        UUID id = dispatching(key);
        in(() -> settle.settle(TOKEN, List.of(Settlement.failed(id, "airline.full")), T0));
        return id;
    }
}
