package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Acts on all entries that pass a filter, on every database. */
abstract class BulkContract extends StageFixture {
    private static final Act ANN = Act.of("ann", "the outage is over");
    private static final int STEP = 3;

    private final List<AuditRecord> heard = new ArrayList<>();

    private AuditStage audit;
    private BulkStage bulk;

    BulkContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void build() {
        audit = new AuditStage(dataSource, stageDatabase(), heard::add);
        bulk = new BulkStage(em, query, audit, STEP);
    }

    @Test
    void resubmitsWhatItPlannedAndNothingElse() {
        List<UUID> failed = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            failed.add(failed("full" + i, "airline.full"));
        }
        UUID other = failed("other", "airline.closed");
        UUID pending = store(entry("pending").build()).outboxId();
        BulkAct act = resubmit("airline.full");

        BulkPlan plan = bulk.plan(act);
        assertThat(plan.count()).isEqualTo(8);
        assertThat(plan.first()).extracting(OutboxSummary::outboxId).containsExactlyInAnyOrderElementsOf(failed);
        List<BulkStep> steps = walk(act);

        assertThat(steps).extracting(BulkStep::done).containsExactly(3, 3, 2);
        assertThat(steps).extracting(BulkStep::skipped).containsOnly(0);
        assertThat(failed).extracting(this::status).containsOnly(OutboxStatus.PENDING);
        assertThat(status(other)).isEqualTo(OutboxStatus.FAILED);
        assertThat(audit.ofEntry(other)).isEmpty();
        assertThat(audit.ofEntry(pending)).isEmpty();
        assertThat(bulk.plan(act).count()).isZero();
        assertThat(heard).extracting(AuditRecord::outboxId).containsExactlyInAnyOrderElementsOf(failed);
        assertThat(heard).allSatisfy(record -> {
            assertThat(record.act()).isEqualTo("resubmit");
            assertThat(record.detail()).isEqualTo("bulk=b-1");
            assertThat(record.fromStatus()).isEqualTo(OutboxStatus.FAILED);
            assertThat(record.toStatus()).isEqualTo(OutboxStatus.PENDING);
        });
    }

    @Test
    void neverPlansNorResubmitsWhatWasErased() {
        UUID erased = failed("a", "airline.full");
        UUID whole = failed("b", "airline.full");
        StoryStage story = new StoryStage(query, audit, dataSource, stageDatabase());
        OperateStage operate = new OperateStage(em, stageDatabase(), verdict, story, audit);
        in(() -> {
            operate.erasePayload(erased, ANN, T0);
            return null;
        });

        assertThat(bulk.plan(resubmit(null)).count()).isEqualTo(1);
        walk(resubmit(null));
        assertThat(status(erased)).isEqualTo(OutboxStatus.FAILED);
        assertThat(status(whole)).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    void leavesWhatIsErasedBetweenTheReadAndTheLock() {
        UUID erased = failed("a", "airline.full");
        UUID whole = failed("b", "airline.full");
        List<BulkStep> steps = walk(resubmit(null), () -> {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE tf_outbox SET payload = '" + OperateStage.ERASED
                        + "' WHERE outbox_id = '" + erased + "'");
                statement.executeUpdate(
                        "INSERT INTO tf_outbox_audit (audit_id, acted_at, actor, act, outbox_id) VALUES ('"
                                + UUID.randomUUID() + "', '2026-03-29 01:00:00', 'bob', 'erase-payload', '" + erased
                                + "')");
            }
            return null;
        });

        assertThat(steps).containsExactly(new BulkStep(1, 1, null));
        assertThat(status(erased)).isEqualTo(OutboxStatus.FAILED);
        assertThat(heard).extracting(AuditRecord::outboxId).containsExactly(whole);
    }

    @Test
    void leavesWhatNoLongerPassesTheFilterWhenItIsLocked() {
        UUID changed = failed("a", "airline.full");
        UUID same = failed("b", "airline.full");
        List<BulkStep> steps = walk(resubmit("airline.full"), () -> {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "UPDATE tf_outbox SET last_failure = 'airline.closed' WHERE outbox_id = '" + changed + "'");
            }
            return null;
        });

        assertThat(steps).containsExactly(new BulkStep(1, 1, null));
        assertThat(status(changed)).isEqualTo(OutboxStatus.FAILED);
        assertThat(status(same)).isEqualTo(OutboxStatus.PENDING);
        assertThat(audit.ofEntry(changed)).isEmpty();
    }

    @Test
    void failsUnknownOutcomes() {
        UUID unknown = unknown("a");
        walk(new BulkAct(BulkAct.Kind.FAIL, OutboxFilter.ALL, null, "operator.not_done"));

        assertThat(status(unknown)).isEqualTo(OutboxStatus.FAILED);
        assertThat(read.get(unknown).lastFailure()).isEqualTo("operator.not_done");
        assertThat(audit.ofEntry(unknown).get(0).detail()).isEqualTo("bulk=b-1 code=operator.not_done");
    }

    @Test
    void reschedulesWhatIsPending() {
        UUID pending = store(entry("a").build()).outboxId();
        Instant later = T0.plusSeconds(600);
        walk(new BulkAct(BulkAct.Kind.RESCHEDULE, OutboxFilter.ALL, later, null));

        assertThat(read.get(pending).entry().nextAttemptAt()).isEqualTo(later);
        assertThat(claimed(T0, 10)).isEmpty();
    }

    @Test
    void hasRemotesAskedAtOnce() {
        UUID unknown = unknown("a");
        ReconcileStage reconcile = new ReconcileStage(em, dataSource, stageDatabase());
        QuestionRequest request = new QuestionRequest("w", Duration.ofSeconds(30), Duration.ZERO);
        Question question = in(() -> reconcile.take(request, unknown, T0)).orElseThrow();
        in(() -> {
            reconcile.putOff(question, T0.plusSeconds(3600));
            return null;
        });
        assertThat(in(() -> reconcile.take(request, Set.of("airline"), 10, 1_000_000, T0)))
                .isEmpty();

        walk(new BulkAct(BulkAct.Kind.RECONCILE, OutboxFilter.ALL, null, null));
        assertThat(in(() -> reconcile.take(request, Set.of("airline"), 10, 1_000_000, T0)))
                .hasSize(1);
    }

    @Test
    void skipsWhatIsBeingAskedAbout() {
        UUID asked = unknown("a");
        UUID waiting = unknown("b");
        ReconcileStage reconcile = new ReconcileStage(em, dataSource, stageDatabase());
        QuestionRequest request = new QuestionRequest("w", Duration.ofSeconds(30), Duration.ZERO);
        in(() -> reconcile.take(request, asked, T0)).orElseThrow();

        List<BulkStep> steps = walk(new BulkAct(BulkAct.Kind.RECONCILE, OutboxFilter.ALL, null, null));
        assertThat(steps).containsExactly(new BulkStep(1, 1, null));
        assertThat(heard).extracting(AuditRecord::outboxId).containsExactly(waiting);
    }

    @Test
    void skipsWhatIsLockedElsewhere() {
        UUID held = failed("a", "airline.full");
        UUID free = failed("b", "airline.full");
        EntityManager other = factory.createEntityManager();
        other.getTransaction().begin();
        try {
            LockById.rows(other, OperateStage.ENTRY, List.of(held)).toList();
            List<BulkStep> steps = walk(resubmit(null));
            assertThat(steps).containsExactly(new BulkStep(1, 1, null));
        } finally {
            other.getTransaction().rollback();
            other.close();
        }
        assertThat(status(held)).isEqualTo(OutboxStatus.FAILED);
        assertThat(status(free)).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    void refusesWhatHasNoMeaning() {
        OutboxFilter completed = new OutboxFilter(OutboxStatus.COMPLETED, null, null);
        assertRefused(BulkAct.Kind.RESUBMIT, completed, null, null);
        assertRefused(BulkAct.Kind.RESUBMIT, OutboxFilter.ALL, T0, null);
        assertRefused(BulkAct.Kind.RESCHEDULE, OutboxFilter.ALL, null, null);
        assertRefused(BulkAct.Kind.FAIL, OutboxFilter.ALL, null, null);
        assertRefused(BulkAct.Kind.FAIL, OutboxFilter.ALL, null, " ");
        assertRefused(BulkAct.Kind.RECONCILE, OutboxFilter.ALL, null, "code");
    }

    private static void assertRefused(BulkAct.Kind kind, OutboxFilter filter, Instant at, String code) {
        assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> new BulkAct(kind, filter, at, code));
    }

    private static BulkAct resubmit(String code) {
        OutboxFilter filter = new OutboxFilter(null, null, null, code, null, null, null, null);
        return new BulkAct(BulkAct.Kind.RESUBMIT, filter, null, null);
    }

    /** Step by step to the end. */
    private List<BulkStep> walk(BulkAct act) {
        return walk(act, bulk);
    }

    /** The same; another does something each time between the read and the lock. */
    private List<BulkStep> walk(BulkAct act, Callable<?> between) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("createQuery")
                    && String.valueOf(arguments[0]).startsWith(OperateStage.ENTRY)) {
                between.call();
            }
            return method.invoke(em, arguments);
        };
        EntityManager disturbed = (EntityManager) Proxy.newProxyInstance(
                EntityManager.class.getClassLoader(), new Class<?>[] {EntityManager.class}, handler);
        return walk(act, new BulkStage(disturbed, query, audit, STEP));
    }

    private List<BulkStep> walk(BulkAct act, BulkStage bulk) {
        List<BulkStep> steps = new ArrayList<>();
        OutboxPosition after = null;
        do {
            OutboxPosition from = after;
            BulkStep step = in(() -> bulk.step(act, from, "b-1", ANN, T0));
            steps.add(step);
            after = step.next();
        } while (after != null);
        return steps;
    }

    private OutboxStatus status(UUID id) {
        return read.get(id).entry().status();
    }

    private UUID failed(String key, String code) {
        UUID id = dispatching(key);
        in(() -> settle.settle(TOKEN, List.of(Settlement.failed(id, code)), T0));
        return id;
    }

    private UUID unknown(String key) {
        UUID id = dispatching(key);
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, null)), T0));
        return id;
    }

    private UUID dispatching(String key) {
        UUID id = store(entry(key).build()).outboxId();
        assertThat(claimed(T0, 10)).contains(id);
        return id;
    }
}
