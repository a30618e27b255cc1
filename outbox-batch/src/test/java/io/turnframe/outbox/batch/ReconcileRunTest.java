package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How remotes are asked, and what is stored of their answers. */
@Timeout(60)
class ReconcileRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** By the clock, which stands still unless moved. */
    private static final Duration DEADLINE = Duration.ofMillis(50);

    private final FakeReconciliation store = new FakeReconciliation();
    private final Map<String, OutboxReconciler> reconcilers = new ConcurrentHashMap<>();
    private final SendSlots slots = new SendSlots();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final List<String> heard = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch hang = new CountDownLatch(1);
    private final AtomicLong clock = new AtomicLong();
    private Runnable whenHeard = () -> {};
    private long questionBytes = 1_000_000;

    /** What a submit throws; null for nothing. */
    private Throwable rejecting;

    @AfterEach
    void end() {
        hang.countDown();
        threads.shutdownNow();
    }

    @Test
    void settlesEachRowByItsOwnAnswer() {
        UUID completed = answering(Reconciled.completed("PNR"));
        UUID failed = answering(Reconciled.failed("gone"));
        UUID resent = answering(Reconciled.resend());
        UUID unresolved = answering(Reconciled.unresolved());
        UUID none = answering(null);
        UUID thrown = asking(record -> {
            throw new IllegalStateException("secret");
        });
        UUID error = asking(record -> {
            throw new StackOverflowError();
        });

        assertThat(sweep()).isEqualTo("completed=1 failed=1 resent=1 unresolved=4");
        assertThat(store.settled)
                .containsOnly(
                        Map.entry(completed, Reconciled.completed("PNR")),
                        Map.entry(failed, Reconciled.failed("gone")),
                        Map.entry(resent, Reconciled.resend()));
        assertThat(store.putOff)
                .containsOnly(
                        Map.entry(unresolved, MINUTE),
                        Map.entry(none, MINUTE),
                        Map.entry(thrown, MINUTE),
                        Map.entry(error, MINUTE));
        assertThat(wakeUps).hasValue(1);
        assertThat(heard)
                .containsExactlyInAnyOrder(
                        "d0 COMPLETED",
                        "d1 FAILED",
                        "d2 RESEND",
                        "d3 UNRESOLVED",
                        "d4 UNRESOLVED",
                        "d5 UNRESOLVED",
                        "d6 UNRESOLVED");
        assertThat(slots.total()).isZero();
    }

    @Test
    void takesAResendForUnresolvedBeforeTheSettlingTimeHasPassed() {
        reconcilers.put("d", record -> Reconciled.resend());
        UUID id = store.add("d", false);
        assertThat(sweep()).isEqualTo("completed=0 failed=0 resent=0 unresolved=1");
        assertThat(store.putOff).containsExactly(Map.entry(id, MINUTE));
        assertThat(heard).containsExactly("d UNRESOLVED");
        assertThat(wakeUps).hasValue(0);
    }

    @Test
    void doublesTheDelayUpToTheLongest() {
        assertThat(List.of(0, 1, 2, 3, 6, 7, Integer.MAX_VALUE))
                .extracting(number -> config(PATIENCE).backoffFor(number).toMinutes())
                .containsExactly(1L, 1L, 2L, 4L, 32L, 60L, 60L);
        reconcilers.put("d", record -> Reconciled.unresolved());
        UUID id = store.add("d", OutboxStatus.OUTCOME_UNKNOWN, 3, true);
        sweep();
        assertThat(store.putOff).containsExactly(Map.entry(id, Duration.ofMinutes(4)));
    }

    @Test
    void storesNoValueThatTheStoreWouldRefuse() {
        UUID code = answering(Reconciled.failed("x".repeat(129)));
        UUID reference = answering(Reconciled.completed("a\nb"));
        sweep();
        assertThat(store.settled)
                .containsEntry(code, Reconciled.failed("turnframe.dispatch.invalid_code"))
                .containsEntry(reference, Reconciled.completed());
    }

    @Test
    void countsARowThatAnotherSettledAsUnresolvedAndWakesNobody() {
        UUID id = answering(Reconciled.resend());
        store.lost.add(id);
        assertThat(sweep()).isEqualTo("completed=0 failed=0 resent=0 unresolved=1");
        assertThat(wakeUps).hasValue(0);
    }

    @Test
    void settlesTheOthersThoughOneCannotBeStored() {
        UUID bad = answering(Reconciled.completed());
        UUID good = answering(Reconciled.completed());
        store.failing.add(bad);
        assertThat(sweep()).isEqualTo("completed=1 failed=0 resent=0 unresolved=1");
        assertThat(store.settled).containsOnlyKeys(good);
    }

    @Test
    void putsARowOffWhoseReconcilerMissesItsDeadlineAndKeepsTheSlotUntilItsThreadIsBack() {
        CountDownLatch interrupted = new CountDownLatch(1);
        UUID id = asking(record -> {
            clock.addAndGet(DEADLINE.toNanos());
            awaitIgnoringInterrupts(hang, interrupted);
            return Reconciled.completed();
        });
        assertThat(sweep(DEADLINE)).isEqualTo("completed=0 failed=0 resent=0 unresolved=1");
        assertThat(store.putOff).containsOnlyKeys(id);
        await().atMost(PATIENCE).until(() -> interrupted.getCount() == 0);
        assertThat(slots.total()).isEqualTo(1);
        hang.countDown();
        await().atMost(PATIENCE).until(() -> slots.total() == 0);
        assertThat(store.settled).as("its late answer").isEmpty();
    }

    @Test
    void letsAHangingDestinationStarveNoOther() {
        reconcilers.put("hanging", record -> {
            awaitIgnoringInterrupts(hang, new CountDownLatch(1));
            return Reconciled.completed();
        });
        reconcilers.put("quick", record -> Reconciled.completed());
        for (int i = 0; i < 50; i++) {
            store.add("hanging", true);
            store.add("quick", true);
        }
        whenHeard = () -> {
            if (heard.size() == 50) {
                clock.addAndGet(DEADLINE.toNanos());
            }
        };
        // Of 16, half may be those of one destination.
        assertThat(sweep(DEADLINE)).isEqualTo("completed=50 failed=0 resent=0 unresolved=8");
        store.add("quick", true);
        assertThat(sweep(DEADLINE)).isEqualTo("completed=1 failed=0 resent=0 unresolved=0");
        assertThat(store.due).as("not asked, and not taken").hasSize(42);
    }

    @Test
    void holdsNoMorePayloadThanAllowedAndAsksAboutAllTheSame() {
        reconcilers.put("d", record -> Reconciled.completed());
        for (int i = 0; i < 20; i++) {
            store.add("d", true);
        }
        questionBytes = 17;
        assertThat(sweep()).isEqualTo("completed=20 failed=0 resent=0 unresolved=0");
        assertThat(store.mostOut).as("17 bytes, but for the last").isLessThanOrEqualTo(3);
        assertThat(slots.total()).isZero();
    }

    @Test
    void leavesRowsAloneThatHaveNoReconciler() {
        store.add("none", true);
        assertThat(sweep()).isEqualTo("completed=0 failed=0 resent=0 unresolved=0");
        assertThat(store.due).hasSize(1);
        assertThat(slots.total()).isZero();
    }

    @Test
    void endsWhenItIsStoppedAndGivesUpWhatIsOut() {
        List<ReconcileRun> run = new ArrayList<>();
        reconcilers.put("d", record -> {
            run.get(0).stop();
            awaitIgnoringInterrupts(hang, new CountDownLatch(1));
            return Reconciled.completed();
        });
        for (int i = 0; i < 20; i++) {
            store.add("d", true);
        }
        run.add(new ReconcileRun(parts(), config(PATIENCE)));
        assertThat(run.get(0).run()).hasToString("completed=0 failed=0 resent=0 unresolved=8");
        assertThat(store.due).hasSize(12);
    }

    @Test
    void asksNobodyOnceItIsInterrupted() {
        answering(Reconciled.completed());
        Thread.currentThread().interrupt();
        String report = sweep();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(report).isEqualTo("completed=0 failed=0 resent=0 unresolved=0");
        assertThat(store.due).hasSize(1);
    }

    @Test
    void failsWhenRowsCannotBeTaken() {
        reconcilers.put("d", record -> Reconciled.completed());
        store.takeFailure = new IllegalStateException("database down");
        assertThatThrownBy(this::sweep).isSameAs(store.takeFailure);
        assertThat(slots.total()).isZero();
    }

    @Test
    void putsRowsOffForWhichThereIsNoThread() {
        reconcilers.put("d", record -> Reconciled.completed());
        for (Throwable refusal : List.of(
                new RejectedExecutionException(),
                new IllegalStateException("shut down"),
                new OutOfMemoryError("unable to create native thread"))) {
            store.putOff.clear();
            Set<UUID> ids = Set.of(store.add("d", true), store.add("d", true), store.add("d", true));
            rejecting = refusal;
            assertThat(sweep()).isEqualTo("completed=0 failed=0 resent=0 unresolved=3");
            assertThat(store.putOff).containsOnlyKeys(ids);
            assertThat(slots.total()).isZero();
        }
    }

    @Test
    void tellsOfOverdueEntriesOnceInASweep() {
        List<String> warnings = new ArrayList<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                if (logged.getLevel() == Level.WARNING) {
                    warnings.add(logged.getParameters()[0] + " " + logged.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger(ReconcileRun.class.getName());
        log.addHandler(listener);
        try {
            sweep();
            assertThat(warnings).isEmpty();
            store.overdue = 7;
            sweep();
            assertThat(warnings).singleElement().asString().startsWith("7 the outcome of");
        } finally {
            log.removeHandler(listener);
        }
    }

    // one by hand

    @Test
    void asksAboutOneRowAndSaysWhatWasAnswered() {
        reconcilers.put("d", record -> Reconciled.completed("PNR"));
        UUID id = store.add("d", true);
        assertThat(one(id)).isEqualTo(new Reconciliation(Reconciled.completed("PNR"), true));
        assertThat(store.settled).containsEntry(id, Reconciled.completed("PNR"));

        reconcilers.put("d", record -> Reconciled.resend());
        UUID young = store.add("d", false);
        assertThat(one(young)).isEqualTo(new Reconciliation(Reconciled.resend(), false));
        assertThat(slots.total()).isZero();
    }

    @Test
    void reportsARowThatIsNotUnknownAsUnresolvedAndAsksNobody() {
        UUID id = store.add("d", OutboxStatus.PENDING, 0, false);
        reconcilers.put("d", record -> {
            throw new AssertionError("asked");
        });
        assertThat(one(id)).isEqualTo(Reconciliation.UNRESOLVED);
        assertThatThrownBy(() -> one(UUID.randomUUID())).isInstanceOf(OutboxNotFoundException.class);
    }

    @Test
    void refusesWithoutAReconcilerWhileAnotherAsksAndWithoutASlot() {
        UUID id = store.add("d", true);
        assertRefused(id, "turnframe.reconcile.no_reconciler");

        reconcilers.put("d", record -> Reconciled.completed());
        for (int i = 0; i < 8; i++) {
            slots.tryTake("d", 16, 8);
        }
        assertRefused(id, "turnframe.reconcile.busy");
        for (int i = 0; i < 8; i++) {
            slots.free("d");
        }

        store.due.clear();
        assertRefused(id, "turnframe.reconcile.being_asked");
        assertThat(slots.total()).isZero();
    }

    private void assertRefused(UUID id, String code) {
        assertThatThrownBy(() -> one(id))
                .isInstanceOfSatisfying(
                        OutboxException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    /** A row of a destination of its own, of which that is said. */
    private UUID answering(Reconciled answer) {
        return asking(record -> answer);
    }

    private UUID asking(OutboxReconciler reconciler) {
        String destination = "d" + reconcilers.size();
        reconcilers.put(destination, reconciler);
        return store.add(destination, true);
    }

    private String sweep() {
        return sweep(PATIENCE);
    }

    private String sweep(Duration timeout) {
        return new ReconcileRun(parts(), config(timeout)).run().toString();
    }

    private Reconciliation one(UUID id) {
        return new ReconcileOne(parts(), config(PATIENCE), null).reconcile(id);
    }

    private static ReconcileConfig config(Duration timeout) {
        ReconcileConfig defaults = ReconcileConfig.DEFAULTS;
        return new ReconcileConfig(
                timeout,
                defaults.settlingTime(),
                defaults.overdueAfter(),
                defaults.initialBackoff(),
                defaults.maxBackoff(),
                defaults.concurrency());
    }

    private ReconcileParts parts() {
        return new ReconcileParts(
                store,
                () -> Set.copyOf(reconcilers.keySet()),
                destination -> Optional.ofNullable(reconcilers.get(destination)),
                slots,
                this::submit,
                questionBytes,
                "w",
                clock::get,
                wakeUps::incrementAndGet,
                (destination, answer) -> {
                    heard.add(destination + " " + answer);
                    whenHeard.run();
                });
    }

    private Future<?> submit(Runnable task) {
        if (rejecting instanceof Error error) {
            throw error;
        }
        if (rejecting != null) {
            throw (RuntimeException) rejecting;
        }
        return threads.submit(task);
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch, CountDownLatch interrupted) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException ignored) {
                interrupted.countDown();
            }
        }
    }
}
