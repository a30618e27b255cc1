package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.TransactionalSender;
import io.turnframe.outbox.batch.SendTransaction.Ending;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A row is completed exactly when the transaction of its sender has committed; else nothing is left of it. */
class JointSendsTest extends RunFixture {
    private static final Duration FIRST_BACKOFF = CONFIG.initialBackoff();

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @BeforeEach
    void listen() {
        observers.add(new OutboxObserver() {
            @Override
            public void settled(String destination, Outcome outcome, String code) {
                heard.add(outcome.toString());
            }

            @Override
            public void outcomeUnknown(String destination) {
                heard.add("outcome unknown");
            }

            @Override
            public void inDoubt(String destination) {
                heard.add("in doubt");
            }
        });
    }

    private UUID joint(TransactionalSender sender) {
        return sending(sender);
    }

    @Test
    void completesARowInTheTransactionOfItsSenderAndNowhereElse() {
        AtomicBoolean inside = new AtomicBoolean();
        UUID id = joint(entry -> {
            inside.set(transactions.timeout != null && !store.settled.containsKey(entry.outboxId()));
            return Dispatched.completed("ID:1");
        });
        assertThat(drive(run())).isEqualTo("completed=1 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(inside).isTrue();
        assertThat(transactions.timeout).isEqualTo(CONFIG.sendTimeout());
        assertThat(store.settled).containsEntry(id, Settlement.completed(id, "ID:1"));
        assertThat(store.settlementCalls).as("settlements beside it").isZero();
        assertThat(store.marked).as("marked as started").isEmpty();
        await().untilAsserted(() -> assertThat(heard).containsExactly("COMPLETED"));
        assertThat(slots.total()).isZero();
    }

    @Test
    void sendsNothingOnceItsClaimIsLost() {
        AtomicInteger sent = new AtomicInteger();
        UUID id = joint(entry -> {
            sent.incrementAndGet();
            return Dispatched.completed();
        });
        store.lost.add(id);
        assertThat(drive(run())).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=1");
        assertThat(sent).hasValue(0);
        assertThat(store.settled).isEmpty();
    }

    @Test
    void putsOffWhatIsRolledBackSinceNothingIsLeft() {
        UUID none = joint(entry -> null);
        UUID unknown = joint(entry -> Dispatched.unknown("maybe"));
        UUID thrown = joint(entry -> {
            throw new IllegalStateException("secret");
        });
        UUID error = joint(entry -> {
            throw new NoClassDefFoundError("com/example/Client");
        });
        assertThat(drive(run())).isEqualTo("completed=0 retried=4 failed=0 unknown=0 unsettled=0");
        for (UUID id : List.of(none, unknown, thrown, error)) {
            assertThat(store.settled)
                    .containsEntry(id, Settlement.retry(id, "turnframe.dispatch.rolled_back", FIRST_BACKOFF));
        }
        assertThat(retries).hasSize(4).containsOnly(FIRST_BACKOFF);
        assertThat(store.journal)
                .extracting(Attempt::outcome, Attempt::late)
                .containsOnly(tuple(Dispatched.Kind.RETRYABLE, false));
    }

    @Test
    void believesWhatTheSenderSaysOfAnEntryThatWasNotSent() {
        UUID refused = joint(entry -> Dispatched.permanent("no"));
        UUID busy = joint(entry -> Dispatched.retryable("busy"));
        UUID away = joint(entry -> Dispatched.unavailable("away"));
        assertThat(drive(run())).isEqualTo("completed=0 retried=2 failed=1 unknown=0 unsettled=0");
        assertThat(store.settled)
                .containsEntry(refused, Settlement.failed(refused, "no"))
                .containsEntry(busy, Settlement.retry(busy, "busy", FIRST_BACKOFF))
                .containsEntry(away, Settlement.unavailable(away, "away", FIRST_BACKOFF));
    }

    @Test
    void putsOffWhatIsNotCommittedUntilItsBudgetIsSpent() {
        transactions.ending = Ending.ROLLED_BACK;
        senders.put("d", (TransactionalSender) entry -> Dispatched.completed());
        UUID first = store.add("d", 1);
        UUID last = store.add("d", CONFIG.maxAttempts());
        assertThat(drive(run())).isEqualTo("completed=0 retried=1 failed=1 unknown=0 unsettled=0");
        assertThat(store.settled)
                .containsEntry(first, Settlement.retry(first, "turnframe.dispatch.rolled_back", FIRST_BACKOFF))
                .containsEntry(last, Settlement.failed(last, "turnframe.dispatch.attempts_exhausted"));
    }

    @Test
    void doesNotGuessHowACommitInDoubtHasEnded() {
        transactions.ending = Ending.IN_DOUBT;
        UUID id = joint(entry -> Dispatched.completed("ID:1"));
        assertThat(drive(run())).isEqualTo("completed=0 retried=0 failed=0 unknown=1 unsettled=0");
        assertThat(store.settled.get(id).status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(store.journal).extracting(Attempt::outcome).containsExactly(Dispatched.Kind.UNKNOWN);
        await().untilAsserted(
                        () -> assertThat(heard).containsExactlyInAnyOrder("in doubt", "outcome unknown", "UNKNOWN"));
    }

    /** Its half of the transaction has committed, or is held until recovery comes. */
    @Test
    void leavesARowInDoubtToWhatRecoveryMakesOfIt() {
        transactions.ending = Ending.IN_DOUBT;
        UUID completed = joint(entry -> Dispatched.completed());
        UUID held = joint(entry -> Dispatched.completed());
        transactions.whenCommitting = () -> {
            if (store.uncommitted.containsKey(completed)) {
                store.lost.add(completed);
            } else {
                store.held.add(held);
            }
        };
        caps.put("d0", 1);
        caps.put("d1", 1);
        assertThat(drive(run())).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=2");
        assertThat(store.settled).isEmpty();
        await().untilAsserted(
                        () -> assertThat(heard).filteredOn("in doubt"::equals).hasSize(2));
    }

    @Test
    void leavesARowClaimedWhileTheDatabaseIsAway() {
        UUID id = joint(entry -> Dispatched.completed());
        store.refused.add(id);
        assertThat(drive(run())).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=1");
        assertThat(store.settled).isEmpty();
    }

    @Test
    void spendsNoBudgetWhereThereIsNoTransaction() {
        transactions.refusing = true;
        putsOffWithoutACall();
    }

    @Test
    void spendsNoBudgetWhereThereIsNoConnectionOrNoLock() {
        store.whenLocking = () -> {
            throw new OutboxException(OutboxException.STORE_BUSY, "held", null);
        };
        putsOffWithoutACall();
    }

    /** As many as would open the breaker, and their budget is at its end. */
    private void putsOffWithoutACall() {
        AtomicInteger calls = new AtomicInteger();
        senders.put("d", calling(calls));
        Set<UUID> ids = new HashSet<>();
        for (int i = 0; i < DestinationConfig.BREAKER_AFTER; i++) {
            ids.add(store.add("d", CONFIG.maxAttempts()));
        }
        assertThat(drive(run())).isEqualTo("completed=0 retried=5 failed=0 unknown=0 unsettled=0");
        Duration pause = CONFIG.backoffFor(CONFIG.maxAttempts());
        for (UUID id : ids) {
            assertThat(store.settled)
                    .containsEntry(id, Settlement.unavailable(id, "turnframe.dispatch.no_transaction", pause));
        }
        assertThat(calls).hasValue(0);
        assertThat(breakers.failing()).isEmpty();
        await().untilAsserted(() -> assertThat(heard).containsOnly("RETRIED").hasSize(5));
    }

    @Test
    void spendsNoBudgetOnWhatWaitsForAConnectionUntilItsDeadline() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        store.whenLocking = () -> {
            waiting.countDown();
            awaitIgnoringInterrupts(hang);
        };
        AtomicInteger calls = new AtomicInteger();
        UUID id = joint(calling(calls));
        for (int i = 1; i < DestinationConfig.BREAKER_AFTER; i++) {
            breakers.heard(send("d0"), Dispatched.unavailable("down"), DestinationConfig.BREAKER_AFTER);
        }
        Future<String> report = inBackground(run());
        waiting.await();
        clock.addAndGet(CONFIG.sendTimeout().toNanos());
        assertThat(report.get()).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=1");
        hang.countDown();
        await().until(() -> store.settled.containsKey(id) && slots.total() == 0);
        assertThat(store.settled)
                .containsEntry(id, Settlement.unavailable(id, "turnframe.dispatch.no_transaction", FIRST_BACKOFF));
        assertThat(calls).hasValue(0);
        assertThat(breakers.failing()).as("it was not the one too many").isEmpty();
    }

    @Test
    void leavesItToAnotherToBeTheProbeWhereTheClaimOfTheFirstIsLost() {
        for (int i = 0; i < DestinationConfig.BREAKER_AFTER; i++) {
            breakers.heard(send("d0"), Dispatched.unavailable("down"), DestinationConfig.BREAKER_AFTER);
        }
        clock.addAndGet(FIRST_BACKOFF.toNanos());
        UUID id = joint(entry -> Dispatched.completed());
        store.lost.add(id);
        assertThat(drive(run())).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=1");
        assertThat(breakers.probing()).as("the pause is over").containsExactly("d0");
        assertThat(breakers.isProbed("d0")).isFalse();
    }

    private static TransactionalSender calling(AtomicInteger calls) {
        return entry -> {
            calls.incrementAndGet();
            return Dispatched.completed();
        };
    }

    @Test
    void settlesOthersWhileOneHangsAndCommitsNothingAfterTheDeadline() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        UUID slow = joint(entry -> {
            hanging.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        UUID quick = answering(Dispatched.completed());
        Future<String> report = inBackground(run());
        hanging.await();
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(10).toNanos());
            return store.settled.containsKey(quick);
        });
        assertThat(store.settled).doesNotContainKey(slow);
        clock.addAndGet(CONFIG.sendTimeout().toNanos());
        assertThat(report.get()).isEqualTo("completed=1 retried=0 failed=0 unknown=0 unsettled=1");
        assertThat(slots.total()).as("its thread is still out").isEqualTo(1);
        hang.countDown();
        await().until(() -> store.settled.containsKey(slow));
        assertThat(store.settled.get(slow).status()).isEqualTo(OutboxStatus.PENDING);
        assertThat(store.settled.get(slow).code()).isEqualTo("turnframe.dispatch.no_answer");
        await().until(() -> heard.contains("RETRIED") && slots.total() == 0);
    }

    @Test
    void doesNotInterruptACommit() throws Exception {
        CountDownLatch committing = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        transactions.whenCommitting = () -> {
            committing.countDown();
            try {
                hang.await();
            } catch (InterruptedException no) {
                interrupted.set(true);
            }
        };
        UUID id = joint(entry -> Dispatched.completed());
        Future<String> report = inBackground(run());
        committing.await();
        clock.addAndGet(CONFIG.sendTimeout().toNanos());
        assertThat(report.get()).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=1");
        hang.countDown();
        await().until(() -> heard.contains("COMPLETED"));
        assertThat(interrupted).isFalse();
        assertThat(store.settled).containsEntry(id, Settlement.completed(id, null));
    }
}
