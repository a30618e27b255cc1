package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a run does with answers, accidents, deadlines, stops and wake-ups. */
class DispatchRunTest extends RunFixture {
    @Test
    void settlesEachRowByItsOwnAnswer() {
        UUID completed = answering(Dispatched.completed("PNR"));
        UUID refused = answering(Dispatched.permanent("no"));
        UUID unknown = answering(Dispatched.unknown("maybe"));
        UUID busy = answering(Dispatched.retryable("busy"));
        UUID none = answering(null);
        UUID thrown = sending(entry -> {
            throw new IllegalStateException("secret");
        });
        UUID error = sending(entry -> {
            throw new StackOverflowError();
        });

        assertThat(drive(run())).isEqualTo("completed=1 retried=1 failed=1 unknown=4 unsettled=0");
        assertThat(store.settled)
                .containsEntry(completed, Settlement.completed(completed, "PNR"))
                .containsEntry(refused, Settlement.failed(refused, "no"))
                .containsEntry(unknown, Settlement.unknown(unknown, "maybe"))
                .containsEntry(busy, Settlement.retry(busy, "busy", Duration.ofSeconds(1)))
                .containsEntry(none, Settlement.unknown(none, null))
                .containsEntry(thrown, Settlement.unknown(thrown, null))
                .containsEntry(error, Settlement.unknown(error, null));
        assertThat(retries).containsExactly(Duration.ofSeconds(1));
        assertThat(slots.total()).isZero();
    }

    @Test
    void failsARetryableRowWhoseBudgetIsSpent() {
        senders.put("d", entry -> Dispatched.retryable("busy"));
        UUID id = store.add("d", CONFIG.maxAttempts());
        drive(run());
        assertThat(store.settled.get(id)).isEqualTo(Settlement.failed(id, "turnframe.dispatch.attempts_exhausted"));
    }

    @Test
    void waitsAsLongAsTheRemoteAsks() {
        UUID id = answering(Dispatched.retryable("busy", Instant.now().plusSeconds(3600)));
        drive(run());
        assertThat(store.settled.get(id).retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
    }

    @Test
    void storesNoValueThatTheStoreWouldRefuse() {
        UUID code = answering(Dispatched.permanent("x".repeat(129)));
        UUID blank = answering(Dispatched.permanent(" "));
        UUID reference = answering(Dispatched.completed("a\nb"));
        UUID blankReference = answering(Dispatched.completed(" "));
        UUID longReference = answering(Dispatched.completed("r".repeat(513)));
        drive(run());
        assertThat(store.settled.get(code).code()).isEqualTo("turnframe.dispatch.invalid_code");
        assertThat(store.settled.get(blank).code()).isEqualTo("turnframe.dispatch.invalid_code");
        for (UUID id : List.of(reference, blankReference, longReference)) {
            assertThat(store.settled.get(id)).isEqualTo(Settlement.completed(id, null));
        }
    }

    @Test
    void treatsATimeoutAsUnknownWhateverIsAnsweredLater() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        UUID id = sending(entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        Future<String> report = inBackground(run());
        sent.await();
        clock.addAndGet(CONFIG.sendTimeout().toNanos());
        assertThat(report.get()).isEqualTo("completed=0 retried=0 failed=0 unknown=1 unsettled=0");
        assertThat(slots.total()).as("its thread is still out").isEqualTo(1);
        hang.countDown();
        await().until(() -> store.journal.size() == 2);
        assertThat(store.journal)
                .extracting(Attempt::outcome, Attempt::late)
                .containsExactly(tuple(Dispatched.Kind.UNKNOWN, false), tuple(Dispatched.Kind.COMPLETED, true));
        assertThat(slots.total()).isZero();
        assertThat(store.settled.get(id).status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    @Test
    void settlesAnAnswerBesideASlowNeighbour() throws Exception {
        UUID slow = sending(entry -> {
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        CountDownLatch answered = new CountDownLatch(1);
        UUID quick = sending(entry -> {
            answered.countDown();
            return Dispatched.completed();
        });
        Future<String> report = inBackground(run());
        answered.await();
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            return store.settled.containsKey(quick);
        });
        assertThat(clock.get()).isLessThan(CONFIG.sendTimeout().toNanos());
        assertThat(store.settled).doesNotContainKey(slow);
        hang.countDown();
        assertThat(report.get()).isEqualTo("completed=2 retried=0 failed=0 unknown=0 unsettled=0");
    }

    @Test
    void settlesRowsOfSeveralClaimsInOneTransaction() throws Exception {
        CountDownLatch out = new CountDownLatch(2);
        OutboxSender together = entry -> {
            out.countDown();
            awaitIgnoringInterrupts(out);
            return Dispatched.completed();
        };
        UUID first = sending(together);
        Future<String> report = inBackground(run());
        await().until(() -> out.getCount() == 1);
        UUID second = sending(together);
        runs.wake();

        assertThat(report.get()).isEqualTo("completed=2 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(store.claims).hasSizeGreaterThanOrEqualTo(2);
        assertThat(store.settled).containsOnlyKeys(first, second);
        assertThat(store.settlementCalls).isEqualTo(1);
    }

    @Test
    void keepsADestinationToItsCapAndItsRowsOutOfTheClaim() throws Exception {
        caps.put("slow", 2);
        senders.put("slow", entry -> {
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        for (int i = 0; i < 40; i++) {
            store.add("slow", 1);
        }
        Future<String> report = inBackground(run());
        await().until(() -> slots.taken("slow") == 2);
        UUID quick = answering(Dispatched.completed());
        runs.wake();
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(50).toNanos());
            return store.settled.containsKey(quick);
        });
        assertThat(store.claims.get(store.claims.size() - 1).only())
                .as("the one destination that is open")
                .isNotNull()
                .isNotEqualTo("slow");
        hang.countDown();
        assertThat(report.get()).startsWith("completed=41 ");
    }

    @Test
    void putsTheStartOnRecordUnlessTheDestinationDeduplicates() {
        deduplicating.add("dedup");
        senders.put("dedup", entry -> Dispatched.completed());
        UUID unmarked = store.add("dedup", 1);
        Set<UUID> markedWhenSent = new HashSet<>();
        UUID marked = sending(entry -> {
            markedWhenSent.addAll(store.marked);
            return Dispatched.completed();
        });
        drive(run());
        assertThat(markedWhenSent).containsExactly(marked).doesNotContain(unmarked);
    }

    @Test
    void doesNotSendARowWhoseClaimWasLost() {
        AtomicInteger sends = new AtomicInteger();
        UUID id = sending(entry -> {
            sends.incrementAndGet();
            return Dispatched.completed();
        });
        store.lost.add(id);
        drive(run());
        assertThat(sends).hasValue(0);
        assertThat(slots.total()).isZero();
    }

    @Test
    void countsARefusedSettlementAsUnsettled() {
        deduplicating.addAll(Set.of("d0", "d1"));
        UUID refused = answering(Dispatched.permanent("no"));
        UUID sentAgain = answering(Dispatched.completed());
        store.lost.addAll(Set.of(refused, sentAgain));
        store.claimedSince.add(sentAgain);
        assertThat(drive(run())).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=2");
        assertThat(store.completedLate).isEmpty();
    }

    @Test
    void completesLateWhatWasConfirmedUnderALostClaim() {
        deduplicating.add("d0");
        UUID id = answering(Dispatched.completed("PNR"));
        store.lost.add(id);
        assertThat(drive(run())).isEqualTo("completed=1 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(store.completedLate).containsExactly(id);
        assertThat(store.journal)
                .extracting(Attempt::outboxId, Attempt::outcome, Attempt::remoteRef, Attempt::late)
                .containsExactly(tuple(id, Dispatched.Kind.COMPLETED, "PNR", true));
    }

    @Test
    void settlesRowByRowWhenTheBulkFails() {
        for (int i = 0; i < 3; i++) {
            answering(Dispatched.completed());
        }
        store.neverSettles = answering(Dispatched.completed());
        assertThat(drive(run())).isEqualTo("completed=3 retried=0 failed=0 unknown=0 unsettled=1");
    }

    @Test
    void keepsItsAnswersWhileTheDatabaseIsDown() throws Exception {
        deduplicating.addAll(Set.of("d0", "d1", "d2"));
        Set<UUID> ids = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            ids.add(sending(entry -> {
                store.isDown = true;
                return Dispatched.completed();
            }));
        }
        Future<String> report = inBackground(run());
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            return store.askedWhileDown.get() >= 3;
        });
        assertThat(clock.get())
                .as("one question a second, whatever the number of answers")
                .isGreaterThanOrEqualTo(Duration.ofSeconds(2).toNanos());
        store.isDown = false;
        assertThat(ended(report)).isEqualTo("completed=3 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(store.settled).containsOnlyKeys(ids);
    }

    @Test
    void givesItsAnswersUpWhenTheirLeaseEndsAndTheDatabaseIsStillDown() throws Exception {
        deduplicating.add("d0");
        sending(entry -> {
            store.isDown = true;
            return Dispatched.completed();
        });
        assertThat(ended(inBackground(run()), Duration.ofSeconds(5)))
                .isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=1");
        assertThat(clock.get()).isGreaterThanOrEqualTo(CONFIG.claimTimeout().toNanos());
    }

    @Test
    void settlesTheOthersBesideOneThatTheDatabaseRefuses() throws Exception {
        store.refused.add(answering(Dispatched.completed()));
        UUID other = answering(Dispatched.completed());
        deduplicating.addAll(Set.of("d0", "d1"));
        assertThat(ended(inBackground(run()))).isEqualTo("completed=1 retried=0 failed=0 unknown=0 unsettled=1");
        assertThat(store.settled).containsOnlyKeys(other);
        assertThat(clock.get())
                .as("not until its lease ends")
                .isLessThan(CONFIG.claimTimeout().toNanos());
    }

    @Test
    void leavesItsAnswersWhenTheGraceOfAShutdownIsOver() throws Exception {
        deduplicating.add("d0");
        sending(entry -> {
            store.isDown = true;
            return Dispatched.completed();
        });
        DispatchRun run = run();
        Future<String> report = inBackground(run);
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(10).toNanos());
            return store.askedWhileDown.get() > 0;
        });
        run.stop(Duration.ZERO);
        assertThat(report.get()).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=1");
    }

    @Test
    void givesBackUnsentWhatItCannotStart() throws Exception {
        for (Throwable refusal : List.of(
                new RejectedExecutionException(),
                new IllegalStateException("shut down"),
                new OutOfMemoryError("unable to create native thread"))) {
            store.givenBack.clear();
            UUID id = answering(Dispatched.completed());
            rejecting = refusal;
            ended(inBackground(run()));
            assertThat(store.givenBack).containsExactly(id);
            assertThat(store.settled).isEmpty();
            assertThat(slots.total()).isZero();
        }
    }

    @Test
    void givesBackUnsentWhatHasNoSender() {
        UUID id = store.add("ghost", 1);
        drive(run());
        assertThat(store.givenBack).containsExactly(id);
        assertThat(store.marked).as("a mark would make it unknown").isEmpty();
    }

    @Test
    void givesBackUnsentWhenTheLeaseRunsShort() throws Exception {
        caps.put("slow", 1);
        CountDownLatch sent = new CountDownLatch(1);
        senders.put("slow", entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        store.add("slow", 1);
        UUID waiting = store.add("slow", 1);
        Future<String> report = inBackground(run());
        sent.await();
        clock.addAndGet(
                CONFIG.claimTimeout().minus(CONFIG.sendTimeout()).plusNanos(1).toNanos());
        await().until(() -> store.givenBack.contains(waiting));
        hang.countDown();
        report.get();
    }

    @Test
    void givesBackUnsentWhenTheLeaseRanShortWhileTheStartWasPutOnRecord() {
        AtomicInteger sends = new AtomicInteger();
        UUID id = sending(entry -> {
            sends.incrementAndGet();
            return Dispatched.completed();
        });
        store.whenMarking = () -> clock.addAndGet(
                CONFIG.claimTimeout().minus(CONFIG.sendTimeout()).plusNanos(1).toNanos());
        drive(run());
        assertThat(store.givenBack).containsExactly(id);
        assertThat(sends).hasValue(0);
        assertThat(slots.total()).isZero();
    }

    @Test
    void givesBackRowByRowWhatCannotBePutOnRecordAndClaimsItAgainAfterAMoment() throws Exception {
        Set<UUID> free = Set.of(answering(Dispatched.completed()), answering(Dispatched.completed()));
        store.held.add(answering(Dispatched.completed()));
        store.returning = true;
        Future<String> report = inBackground(run());
        assertThat(ended(report)).isEqualTo("completed=2 retried=0 failed=0 unknown=0 unsettled=1");
        assertThat(store.givenBack).containsExactlyInAnyOrderElementsOf(free);
        assertThat(store.marked).containsExactlyInAnyOrderElementsOf(free);
        assertThat(clock.get()).isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(slots.total()).isZero();
    }

    private String ended(Future<String> report) throws Exception {
        return ended(report, Duration.ofMillis(100));
    }

    /** Its report, once time has passed, at this pace. */
    private String ended(Future<String> report, Duration step) throws Exception {
        await().until(() -> {
            clock.addAndGet(step.toNanos());
            return report.isDone();
        });
        return report.get();
    }

    @Test
    void givesBackNothingRowByRowWhileTheDatabaseIsDown() throws Exception {
        for (int i = 0; i < 5; i++) {
            answering(Dispatched.completed());
        }
        store.whenMarking = () -> store.isDown = true;
        assertThat(ended(inBackground(run()))).isEqualTo("completed=0 retried=0 failed=0 unknown=0 unsettled=5");
        assertThat(store.askedWhileDown)
                .as("mark, give back, give back the first")
                .hasValue(3);
    }

    @Test
    void givesBackWhatIsUnsentAndSettlesWhatIsOutWhenStopped() throws Exception {
        caps.put("slow", 1);
        CountDownLatch sent = new CountDownLatch(1);
        senders.put("slow", entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        UUID out = store.add("slow", 1);
        UUID unsent = store.add("slow", 1);
        Future<String> report = inBackground(run());
        sent.await();
        stopped.set(true);
        await().until(() -> store.givenBack.contains(unsent));
        hang.countDown();
        assertThat(report.get()).startsWith("completed=1 ");
        assertThat(store.settled).containsKey(out);
    }

    @Test
    void settlesWhatIsOutBeforeItReportsAFailedClaim() {
        UUID id = answering(Dispatched.completed());
        DispatchRun run = run();
        Object first = run.next();
        run.start((Send) first);
        store.claimFailure = new IllegalStateException("database down");
        runs.wake();
        assertThatIllegalStateException().isThrownBy(run::drain).withMessage("database down");
        run.close();
        assertThat(store.settled).containsKey(id);
    }

    @Test
    void looksAgainWhenItIsWokenWhileItEnds() {
        DispatchRun run = run();
        run.wake();
        assertThat(runs.leave(run)).isFalse();
        assertThat(runs.leave(run)).isTrue();
        assertThat(runs.wake()).as("a run must be started").isTrue();
        assertThat(runs.wake()).as("one is being started").isFalse();
        runs.startFailed();
        assertThat(runs.wake()).isTrue();
    }

    @Test
    void journalsAttemptsThatDidNotComplete() {
        answering(Dispatched.completed("PNR"));
        UUID refused = answering(Dispatched.permanent("no"));
        drive(run());
        assertThat(store.journal).hasSize(1).first().satisfies(attempt -> {
            assertThat(attempt.outboxId()).isEqualTo(refused);
            assertThat(attempt.number()).isEqualTo(1);
            assertThat(attempt.workerId()).isEqualTo("w");
            assertThat(attempt.outcome()).isEqualTo(Dispatched.Kind.PERMANENT);
            assertThat(attempt.code()).isEqualTo("no");
            assertThat(attempt.late()).isFalse();
        });
    }

    @Test
    void claimsWhatItIsWokenForOnItsWayOut() {
        senders.put("d", entry -> Dispatched.completed());
        DispatchRun run = run();
        store.whenPromoting = () -> {
            store.whenPromoting = () -> {};
            store.add("d", 1);
            runs.wake();
        };
        assertThat(drive(run)).startsWith("completed=1 ");
    }

    @Test
    void sendsTheOthersOnceASuspectHasAnswered() {
        senders.put("suspect", entry -> Dispatched.completed());
        senders.put("d", entry -> Dispatched.completed());
        for (int i = 0; i < 5; i++) {
            store.add("d", 1);
            store.add("suspect", 1, 1);
        }
        assertThat(drive(run())).startsWith("completed=10 ");
    }

    @Test
    void makesRoomForAnotherRunWhileItWaitsForItsLastAnswers() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        sending(entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        Future<String> report = inBackground(run());
        sent.await();
        stopped.set(true);
        await().until(runs::wake);
        hang.countDown();
        report.get();
    }

    @Test
    void waitsForItsLastAnswersAlsoWhenASiblingWakesIt() throws Exception {
        caps.put("slow", 1);
        senders.put("slow", entry -> {
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        store.add("slow", 1);
        store.add("slow", 1);
        DispatchRun run = run();
        run.start((Send) run.next());
        // As a sibling does that claims on. It comes when this run listens no more: it gives back what is unsent then.
        CountDownLatch woken = new CountDownLatch(1);
        store.whenGivingBack = () -> {
            run.wake();
            woken.countDown();
        };
        AtomicReference<Thread> closing = new AtomicReference<>();
        Future<String> report = threads.submit(() -> {
            closing.set(Thread.currentThread());
            return run.close().toString();
        });
        woken.await();
        await("not a loop that never waits").until(() -> closing.get().getState() == Thread.State.TIMED_WAITING);
        hang.countDown();
        assertThat(report.get()).startsWith("completed=1 ");
    }

    @Test
    void lingersForWorkThatComes() throws Exception {
        senders.put("d", entry -> Dispatched.completed());
        DispatchRun run = new DispatchRun(parts(), CONFIG, Duration.ofSeconds(1));
        Future<String> report = inBackground(run);
        for (int i = 0; i < 3; i++) {
            UUID id = store.add("d", 1);
            runs.wake();
            await().until(() -> store.settled.containsKey(id));
        }
        assertThat(report.isDone()).isFalse();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(report.get()).startsWith("completed=3 ");
    }
}
