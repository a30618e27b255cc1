package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which rows are asked about, what an answer makes of them, and who wins a race; on every database. */
@Timeout(30) // Whoever waits for a lock here waits for ever.
abstract class ReconcileContract extends StageFixture {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration SETTLING = Duration.ofMinutes(5);
    private static final QuestionRequest REQUEST = new QuestionRequest("asker", LEASE, SETTLING);
    private static final long BYTES = 1_000;
    private static final Set<String> AIRLINE = Set.of("airline");
    private static final Instant SETTLED = T0.plus(SETTLING);

    private ReconcileStage reconcile;

    ReconcileContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void build() {
        reconcile = new ReconcileStage(em, dataSource, stageDatabase());
    }

    // since when

    @Test
    void countsFromTheSettlementTheReleaseAndTheVerdict() {
        UUID settled = unknown("settled");
        UUID released = dispatching("released");
        in(() -> settle.mark(TOKEN, Set.of(released), T0));
        in(() -> release.release(T0.plusSeconds(1), Set.of(), T0));
        UUID judged = dispatching("judged");
        in(() -> {
            verdict.unknown(judged, null, T0);
            return null;
        });

        for (UUID id : List.of(settled, released, judged)) {
            assertThat(stamps(id)).as("since T0 by attempt 1").containsExactly(1, 0, null);
            assertThat(query.get(id).unknownSince()).isEqualTo(T0);
        }
        assertThat(overdue(T0)).isZero();
        assertThat(overdue(T0.plusNanos(1000))).isEqualTo(3);
        assertThat(take(SETTLED.minusNanos(1000))).hasSize(3).noneMatch(Question::settled);
        assertThat(take(SETTLED.plus(LEASE))).hasSize(3).allMatch(Question::settled);
    }

    @Test
    void keepsTheTimeThroughARepeatOfTheSettlementAndOfTheVerdict() {
        UUID id = unknown("a");
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, null)), SETTLED));
        in(() -> {
            verdict.unknown(id, "ref", SETTLED);
            return null;
        });
        assertThat(take(SETTLED)).hasSize(1).allMatch(Question::settled);
    }

    @Test
    void forgetsItWhereverARowLeaves() {
        UUID completed = unknown("completed");
        UUID failed = unknown("failed");
        UUID queued = unknown("queued");
        UUID late = unknown("late");
        UUID reconciled = unknown("reconciled");
        take(T0);
        in(() -> {
            verdict.complete(completed, T0);
            verdict.fail(failed, "no", T0);
            verdict.reschedule(queued, T0);
            settle.completeLate(TOKEN, late(late), T0);
            return null;
        });
        settle(taken(reconciled, T0.plus(LEASE)), Reconciled.failed("gone"));

        for (UUID id : List.of(completed, failed, queued, late, reconciled)) {
            assertThat(stamps(id)).containsExactly(null, 0, null);
            assertThat(query.get(id).unknownSince()).isNull();
        }
        assertThat(overdue(SETTLED)).isZero();
    }

    /** Another program set the outcome, and perhaps found the stamps of an earlier time. */
    @Test
    void countsFromTheFirstQuestionWhereAnotherProgramMadeItUnknown() {
        UUID id = unknown("a");
        foreign("UPDATE tf_outbox SET attempt_count = attempt_count + 1");
        assertThat(overdue(SETTLED)).as("stale").isZero();
        assertThat(query.get(id).unknownSince()).as("stale").isNull();

        assertThat(taken(id, SETTLED).settled()).isFalse();
        assertThat(taken(id, SETTLED.plus(LEASE)).number()).isEqualTo(2);
        assertThat(taken(id, SETTLED.plus(SETTLING)).settled()).isTrue();
    }

    // take

    @Test
    void takesUnknownRowsOfTheDestinationsThatAreDue() {
        UUID due = unknown("due");
        store(entry("pending").build());
        UUID other = unknown("other", "hotel");

        assertThat(reconcile.isDue(AIRLINE)).isTrue();
        assertThat(reconcile.isDue(Set.of("train", "bus"))).isFalse();
        assertThat(take(T0)).extracting(Question::outboxId).containsExactly(due);
        assertThat(in(() -> reconcile.take(REQUEST, Set.of("airline", "hotel"), 10, BYTES, T0)))
                .extracting(Question::outboxId)
                .containsExactly(other);
    }

    @Test
    void takesNoMoreThanTheLimit() {
        unknown("a");
        unknown("b");
        assertThat(in(() -> reconcile.take(REQUEST, AIRLINE, 1, BYTES, T0))).hasSize(1);
        assertThat(in(() -> reconcile.take(REQUEST, AIRLINE, 10, BYTES, T0))).hasSize(1);
    }

    @Test
    void takesThoseThatHaveWaitedLongestFirst() {
        UUID putOff = unknown("putOff");
        putOff(taken(putOff, T0), T0.plusSeconds(20));
        UUID early = unknown("early", "airline", T0.plusSeconds(10));
        UUID late = unknown("late", "airline", T0.plusSeconds(30));
        UUID foreign = unknown("foreign", "airline", T0.plusSeconds(40));
        foreign("UPDATE tf_outbox SET unknown_since = NULL, unknown_attempt = NULL, reconcile_at = NULL"
                + " WHERE idempotency_key = 'foreign'");

        for (UUID next : List.of(foreign, early, putOff, late)) {
            assertThat(in(() -> reconcile.take(REQUEST, AIRLINE, 1, BYTES, T0.plusSeconds(50))))
                    .extracting(Question::outboxId)
                    .containsExactly(next);
        }
    }

    @Test
    void takesNoMoreBytesThanAllowedButTheFirstRowWhateverItsSize() {
        List<UUID> ids = List.of(
                unknown("a", "airline", T0),
                unknown("b", "airline", T0.plusMillis(1)),
                unknown("c", "airline", T0.plusMillis(2)));
        Instant now = T0.plusSeconds(1);
        assertThat(in(() -> reconcile.take(REQUEST, AIRLINE, 10, "{'a': 1}".length() * 2, now)))
                .extracting(Question::outboxId)
                .containsExactlyInAnyOrder(ids.get(0), ids.get(1));
        assertThat(in(() -> reconcile.take(REQUEST, AIRLINE, 10, 1, now)))
                .extracting(Question::outboxId)
                .containsExactly(ids.get(2));
    }

    @Test
    void asksTheRemoteWithWhatIsStored() {
        UUID id = unknown("a");
        Question question = taken(id, T0);
        assertThat(question.record()).isEqualTo(read.get(id));
        assertThat(question.record().remoteRef()).isEqualTo("maybe");
        assertThat(question.number()).isEqualTo(1);
        assertThat(question.askedAt()).isEqualTo(T0);
        assertThat(stamps(id)).containsExactly(1, 1, "asker");
    }

    @Test
    void leavesARowAloneUntilTheLeaseOfTheQuestionIsOver() {
        UUID id = unknown("a");
        assertThat(take(T0)).hasSize(1);

        assertThat(take(T0.plus(LEASE).minusNanos(1000))).isEmpty();
        assertThat(takeOne(id, T0.plus(LEASE).minusNanos(1000))).isEmpty();
        assertThat(take(T0.plus(LEASE))).hasSize(1);
    }

    @Test
    void asksAgainWhenItWasPutOffOrAtOnceByHand() {
        UUID id = unknown("a");
        putOff(taken(id, T0), T0.plusSeconds(10));

        assertThat(take(T0.plusSeconds(9))).isEmpty();
        assertThat(takeOne(id, T0.plusSeconds(9))).isPresent();
        putOff(takeOne(id, T0.plusSeconds(9).plus(LEASE)).orElseThrow(), T0.plusSeconds(200));
        assertThat(taken(id, T0.plusSeconds(200)).number()).isEqualTo(4);
    }

    @Test
    void takesNoRowByHandThatIsNotUnknown() {
        assertThat(takeOne(store(entry("a").build()).outboxId(), T0)).isEmpty();
        assertThat(takeOne(dispatching("b"), T0)).isEmpty();
    }

    // settle

    @Test
    void completesWithTheReferenceOrKeepsTheOneThere() {
        UUID with = unknown("with");
        UUID without = unknown("without");
        assertThat(settle(taken(with, T0), Reconciled.completed("PNR"))).isTrue();
        assertThat(settle(taken(without, T0.plus(LEASE)), Reconciled.completed()))
                .isTrue();

        assertThat(status(with)).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(read.get(with).remoteRef()).isEqualTo("PNR");
        assertThat(read.get(with).entry().completedAt()).isEqualTo(SETTLED);
        assertThat(status(without)).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(read.get(without).remoteRef()).isEqualTo("maybe");
        assertThat(journal(with)).containsExactly(1, 1, "asker", "completed", null, "PNR");
    }

    @Test
    void failsWithTheCode() {
        UUID id = unknown("a");
        assertThat(settle(taken(id, T0), Reconciled.failed("airline.no_such_booking")))
                .isTrue();
        OutboxRecord record = read.get(id);
        assertThat(record.entry().status()).isEqualTo(OutboxStatus.FAILED);
        assertThat(record.entry().completedAt()).isEqualTo(SETTLED);
        assertThat(record.lastFailure()).isEqualTo("airline.no_such_booking");
        assertThat(journal(id)).containsExactly(1, 1, "asker", "failed", "airline.no_such_booking", null);
    }

    @Test
    void queuesAResendOnceDueAtOnceUnderTheSameKeyWithTheBudgetAsItWas() {
        UUID id = unknown("a");
        Question question = taken(id, SETTLED);
        assertThat(settle(question, Reconciled.resend())).isTrue();
        assertThat(settle(question, Reconciled.resend())).as("a repeat").isFalse();

        assertThat(status(id)).isEqualTo(OutboxStatus.PENDING);
        assertThat(journal(id)).containsExactly(1, 1, "asker", "resend", null, null);
        List<ClaimedEntry> again = in(() -> claim.claim(request(10, Set.of()), T0));
        assertThat(again).hasSize(1);
        assertThat(again.get(0).entry().idempotencyKey()).isEqualTo("a");
        assertThat(again.get(0).entry().payload()).isEqualTo("{\"a\": 1}");
        assertThat(again.get(0).budgetUsed()).isEqualTo(2);
    }

    @Test
    void refusesAResendBeforeTheSettlingTimeHasPassed() {
        Question question = taken(unknown("a"), SETTLED.minusNanos(1000));
        assertThatIllegalArgumentException().isThrownBy(() -> settle(question, Reconciled.resend()));
        assertThatIllegalArgumentException().isThrownBy(() -> settle(question, Reconciled.unresolved()));
    }

    @Test
    void keepsTheRecordOfAResendThatWasTakenBackByALateAnswer() {
        UUID id = unknown("a");
        settle(taken(id, SETTLED), Reconciled.resend());
        assertThat(in(() -> settle.completeLate(TOKEN, late(id), T0))).isTrue();
        assertThat(status(id)).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(journal(id)).contains("resend");
    }

    @Test
    void losesTheRecordWithTheRow() {
        UUID id = unknown("a");
        settle(taken(id, T0), Reconciled.completed());
        PurgeStage purge = new PurgeStage(em, stageDatabase());
        in(() -> purge.purge(OutboxStatus.COMPLETED, SETTLED.plusSeconds(1), 10));
        assertThat(answers()).isEmpty();
    }

    // races

    @Test
    void letsALateAnswerWinThatCameWhileItWasAsked() {
        UUID id = unknown("a");
        Question question = taken(id, SETTLED);
        assertThat(in(() -> settle.completeLate(TOKEN, late(id), T0))).isTrue();

        assertRefused(question);
        assertThat(read.get(id).remoteRef()).isEqualTo("PNR");
    }

    @Test
    void letsAnOperatorWinWhoJudgedMeanwhile() {
        UUID failed = unknown("failed");
        Question question = taken(failed, SETTLED);
        in(() -> {
            verdict.fail(failed, "operator.not_done", T0);
            return null;
        });
        assertRefused(question);

        UUID queued = unknown("queued");
        Question other = taken(queued, SETTLED);
        in(() -> {
            verdict.reschedule(queued, T0);
            return null;
        });
        assertRefused(other);
    }

    @Test
    void leavesARowAloneThatWasClaimedMeanwhileAlsoWhenItIsUnknownAgain() {
        UUID id = unknown("a");
        Question question = taken(id, SETTLED);
        in(() -> {
            verdict.reschedule(id, T0);
            return null;
        });
        assertThat(claimed(SETTLED, 10)).containsExactly(id);
        assertRefused(question);

        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, null)), SETTLED));
        Question again = taken(id, SETTLED);
        assertThat(again.number()).as("the same as before").isEqualTo(question.number());
        assertRefused(question);
        assertThat(again.settled()).as("its own settling time").isFalse();
    }

    @Test
    void refusesAnAnswerThatCameAfterAnotherHadAskedAgain() {
        UUID id = unknown("a");
        Question first = taken(id, SETTLED);
        Question second = taken(id, SETTLED.plus(LEASE));

        assertRefused(first);
        putOff(first, T0);
        assertThat(take(SETTLED.plus(LEASE))).as("still being asked").isEmpty();
        assertThat(settle(second, Reconciled.resend())).isTrue();
    }

    @Test
    void givesARowToOneOfTwoSweeps() {
        UUID id = unknown("a");
        EntityManager other = factory.createEntityManager();
        other.getTransaction().begin();
        try {
            ReconcileStage elsewhere = new ReconcileStage(other, dataSource, stageDatabase());
            assertThat(elsewhere.take(REQUEST, AIRLINE, 10, BYTES, T0)).hasSize(1);
            assertThat(take(T0)).as("locked").isEmpty();
            assertThat(takeOne(id, T0)).as("locked").isEmpty();
            other.getTransaction().commit();
            assertThat(take(T0)).as("leased").isEmpty();
        } finally {
            if (other.getTransaction().isActive()) {
                other.getTransaction().rollback();
            }
            other.close();
        }
    }

    private void assertRefused(Question question) {
        OutboxRecord before = read.get(question.outboxId());
        for (Reconciled answer :
                List.of(Reconciled.resend(), Reconciled.completed("wrong"), Reconciled.failed("wrong"))) {
            assertThat(settle(question, answer)).isFalse();
        }
        assertThat(read.get(question.outboxId())).isEqualTo(before);
        assertThat(answers()).isEmpty();
    }

    private List<Question> take(Instant now) {
        return in(() -> reconcile.take(REQUEST, AIRLINE, 10, BYTES, now));
    }

    private Optional<Question> takeOne(UUID id, Instant now) {
        return in(() -> reconcile.take(REQUEST, id, now));
    }

    /** Takes what is due, and answers what was taken of this row. */
    private Question taken(UUID id, Instant now) {
        return take(now).stream()
                .filter(question -> question.outboxId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** At {@link #SETTLED}. */
    private boolean settle(Question question, Reconciled answer) {
        return in(() -> reconcile.settle(question, "asker", answer, SETTLED));
    }

    private void putOff(Question question, Instant at) {
        in(() -> {
            reconcile.putOff(question, at);
            return null;
        });
    }

    private long overdue(Instant before) {
        return reconcile.overdue(before);
    }

    private UUID unknown(String key) {
        return unknown(key, "airline");
    }

    /** Unknown since {@link #T0}. */
    private UUID unknown(String key, String destination) {
        return unknown(key, destination, T0);
    }

    private UUID unknown(String key, String destination, Instant since) {
        UUID id = dispatching(key, destination);
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, "maybe")), since));
        return id;
    }

    private UUID dispatching(String key) {
        return dispatching(key, "airline");
    }

    private UUID dispatching(String key, String destination) {
        UUID id = store(entry(key)
                        .destination(destination)
                        .payload("{\"" + key + "\": 1}")
                        .build())
                .outboxId();
        assertThat(claimed(T0, 10)).contains(id);
        return id;
    }

    private OutboxStatus status(UUID id) {
        return read.get(id).entry().status();
    }

    private void foreign(String update) {
        in(() -> em.createNativeQuery(update).executeUpdate());
    }

    /** By which attempt it is unknown, how often it was asked about, and who asks; no attempt: since no time either. */
    private List<Object> stamps(UUID id) {
        em.clear();
        Object[] row = em.createQuery(
                        "select o.unknownAttempt, o.reconcileCount, o.reconcileWorkerId, o.unknownSince"
                                + " from OutboxRow o where o.outboxId = :id",
                        Object[].class)
                .setParameter("id", id)
                .getSingleResult();
        assertThat(row[3]).isEqualTo(row[0] == null ? null : T0);
        return Arrays.asList(row).subList(0, 3);
    }

    private List<Object> journal(UUID id) {
        Object[] row = (Object[]) em.createNativeQuery("SELECT attempt, question, worker_id, answer, code, remote_ref"
                        + " FROM tf_outbox_reconciliation r"
                        + " WHERE EXISTS (SELECT 1 FROM tf_outbox o WHERE o.outbox_id = r.outbox_id"
                        + " AND o.idempotency_key = ?1)")
                .setParameter(1, read.get(id).entry().idempotencyKey())
                .getSingleResult();
        return Arrays.asList(row);
    }

    private List<?> answers() {
        return em.createNativeQuery("SELECT answer FROM tf_outbox_reconciliation")
                .getResultList();
    }

    private static Attempt late(UUID id) {
        return new Attempt(
                id, 1, "w", Duration.ofSeconds(2), Duration.ZERO, Dispatched.Kind.COMPLETED, null, "PNR", true);
    }
}
