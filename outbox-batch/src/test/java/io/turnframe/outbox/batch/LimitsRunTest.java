package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a run does with holds, limits, and what a destination has of its own. */
class LimitsRunTest extends RunFixture {
    private static final long PERMIT = FakeStore.PERMIT.toNanos();

    @Test
    void claimsNothingOfAHeldDestinationAndDoesNotWalkItsRows() {
        senders.put("held", entry -> Dispatched.completed());
        UUID kept = store.add("held", 1);
        UUID sent = answering(Dispatched.completed());
        said = new Controls.Said(false, Set.of("held"), Set.of());

        assertThat(drive(run())).startsWith("completed=1 ");
        assertThat(store.settled).containsOnlyKeys(sent).doesNotContainKey(kept);
        assertThat(store.claims)
                .allMatch(claim -> claim.only() != null && !claim.only().equals("held"));
    }

    @Test
    void claimsNothingWhileEverythingIsHeld() {
        answering(Dispatched.completed());
        said = new Controls.Said(true, Set.of(), Set.of());
        assertThat(drive(run())).startsWith("completed=0 ");
        assertThat(store.claims).isEmpty();
    }

    @Test
    void givesBackWhatItHasClaimedOfADestinationThatIsHeldMeanwhile() throws Exception {
        caps.put("d", 1);
        CountDownLatch sent = new CountDownLatch(1);
        senders.put("d", entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        UUID out = store.add("d", 1);
        UUID waiting = store.add("d", 1);
        Future<String> report = inBackground(run());
        sent.await();
        said = new Controls.Said(false, Set.of("d"), Set.of());
        runs.wake();
        await().until(() -> store.givenBack.contains(waiting));
        hang.countDown();
        assertThat(report.get()).startsWith("completed=1 ");
        assertThat(store.settled).containsOnlyKeys(out);
    }

    @Test
    void waitsForALimitThatHoldsOverAllNodesAndLetsOthersPass() throws Exception {
        senders.put("limited", entry -> Dispatched.completed());
        UUID first = store.add("limited", 1);
        UUID second = store.add("limited", 1);
        UUID other = answering(Dispatched.completed());
        said = new Controls.Said(false, Set.of(), Set.of("limited"));
        store.permits.put("limited", 1);

        Future<String> report = inBackground(run());
        await().until(() -> store.settled.keySet().containsAll(Set.of(first, other)));
        assertThat(report.isDone()).isFalse();
        store.permits.put("limited", 1);
        await().until(() -> {
            clock.addAndGet(PERMIT);
            return store.settled.containsKey(second);
        });
        assertThat(report.get()).startsWith("completed=3 ");
    }

    @Test
    void looksAtALimitAgainAsSoonAsARowOfItsOwnIsSettled() {
        senders.put("limited", entry -> {
            store.permits.put("limited", 1);
            return Dispatched.completed();
        });
        for (int i = 0; i < 5; i++) {
            store.add("limited", 1);
        }
        said = new Controls.Said(false, Set.of(), Set.of("limited"));
        store.permits.put("limited", 1);
        assertThat(drive(run())).startsWith("completed=5 ");
        assertThat(clock.get()).isZero();
    }

    @Test
    void endsAfterItsTimeThoughALimitHoldsRowsBack() throws Exception {
        senders.put("limited", entry -> Dispatched.completed());
        store.add("limited", 1);
        said = new Controls.Said(false, Set.of(), Set.of("limited"));
        DispatchRun run = run();
        Future<String> report = inBackground(run);
        await().until(() -> {
            clock.addAndGet(Duration.ofMinutes(1).toNanos());
            return report.isDone();
        });
        assertThat(run.isTooOld()).isTrue();
        assertThat(store.queue).hasSize(1);
    }

    @Test
    void fillsClaimsFromEachDestinationInTurnWhileOneIsClosed() {
        said = new Controls.Said(false, Set.of("held"), Set.of());
        senders.put("a", entry -> Dispatched.completed());
        senders.put("b", entry -> Dispatched.completed());
        for (int i = 0; i < 200; i++) {
            store.add("a", 1);
        }
        store.add("b", 1);
        drive(run());
        int first = 0;
        while (!"b".equals(store.claims.get(first).only())) {
            first++;
        }
        assertThat(first).as("claims before the first of b").isLessThan(3);
    }

    @Test
    void sendsWhatItClaimedBeforeAnotherClaimOfTheSameLookFailed() {
        said = new Controls.Said(false, Set.of("held"), Set.of());
        senders.put("a", entry -> Dispatched.completed());
        senders.put("b", entry -> Dispatched.completed());
        UUID id = store.add("a", 1);
        store.claimFails = "b";
        DispatchRun run = run();
        assertThatIllegalStateException().isThrownBy(run::drain).withMessage("database down");
        assertThat(run.close()).hasToString("completed=1 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(store.settled).containsOnlyKeys(id);
    }

    @Test
    void sendsWhatItClaimedBeforeAPromotionFailed() {
        UUID id = answering(Dispatched.completed());
        store.whenPromoting = () -> {
            throw new IllegalStateException("database down");
        };
        DispatchRun run = run();
        assertThatIllegalStateException().isThrownBy(run::drain).withMessage("database down");
        assertThat(run.close()).hasToString("completed=1 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(store.settled).containsOnlyKeys(id);
    }

    @Test
    void sharesTheBytesOfOneLookBetweenTheDestinations() {
        said = new Controls.Said(false, Set.of("held"), Set.of("b"));
        for (String name : Set.of("a", "b", "c")) {
            senders.put(name, entry -> Dispatched.completed());
            store.permits.put(name, 1);
            // Two bytes a character, and two quotes.
            store.add(name, "\"" + "é".repeat(300_000) + "\"", 1, 0);
        }
        assertThat(drive(run())).startsWith("completed=3 ");
        assertThat(store.claims.subList(0, 2))
                .extracting(ClaimRequest::only, ClaimRequest::maxBytes)
                .containsExactly(tuple("b", 1_000_000L), tuple("a", 1_000_000L - 600_002));
        assertThat(store.claims.get(2).maxBytes()).as("another look").isEqualTo(1_000_000);
    }

    @Test
    void claimsOfAHealthyDestinationBesideSlowOnesOfWhichMoreIsClaimedThanTheyMaySend() throws Exception {
        for (String slow : List.of("b", "c")) {
            caps.put(slow, 2);
            senders.put(slow, entry -> {
                awaitIgnoringInterrupts(hang);
                return Dispatched.completed();
            });
            for (int i = 0; i < 2 * CONFIG.batchSize(); i++) {
                store.add(slow, 1);
            }
        }
        // The first claim is all of b, the second of c.
        senders.put("a", entry -> Dispatched.completed());
        UUID id = store.add("a", 1);
        Future<String> report = inBackground(run());
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(10).toNanos());
            return store.settled.containsKey(id);
        });
        assertThat(clock.get()).isLessThan(CONFIG.sendTimeout().toNanos());
        stopped.set(true);
        hang.countDown();
        report.get();
    }

    @Test
    void passesByMoreDestinationsThanAFewInOneClaim() {
        for (int i = 0; i <= Openings.FEW; i++) {
            senders.put("x" + i, entry -> Dispatched.completed());
            store.add("x" + i, 1);
        }
        said = new Controls.Said(false, Set.of("held"), Set.of());
        assertThat(drive(run())).startsWith("completed=" + (Openings.FEW + 1) + " ");
        assertThat(store.claims).extracting(ClaimRequest::only).containsOnlyNulls();
        assertThat(store.claims).allMatch(claim -> claim.excluded().contains("held"));
    }

    @Test
    void settlesByWhatTheDestinationHasOfItsOwn() throws Exception {
        configs.put("own", own(Duration.ofSeconds(2), 1));
        senders.put("own", entry -> Dispatched.retryable("busy"));
        senders.put("runs", entry -> Dispatched.retryable("busy"));
        UUID spent = store.add("own", 1);
        UUID retried = store.add("runs", 1);
        drive(run());
        assertThat(store.settled.get(spent)).isEqualTo(Settlement.failed(spent, Verdict.ATTEMPTS_EXHAUSTED));
        assertThat(store.settled.get(retried)).isEqualTo(Settlement.retry(retried, "busy", Duration.ofSeconds(1)));
    }

    @Test
    void givesEachSendTheDeadlineOfItsDestination() throws Exception {
        configs.put("short", own(Duration.ofSeconds(2), 5));
        CountDownLatch sent = new CountDownLatch(2);
        senders.put("short", entry -> hanging(sent));
        senders.put("long", entry -> hanging(sent));
        UUID early = store.add("short", 1);
        UUID late = store.add("long", 1);
        Future<String> report = inBackground(run());
        sent.await();
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            return store.settled.containsKey(early);
        });
        assertThat(store.settled).doesNotContainKey(late);
        hang.countDown();
        assertThat(report.get()).isEqualTo("completed=1 retried=0 failed=0 unknown=1 unsettled=0");
    }

    private Dispatched hanging(CountDownLatch sent) {
        sent.countDown();
        awaitIgnoringInterrupts(hang);
        return Dispatched.completed();
    }

    private static DispatchConfig own(Duration sendTimeout, int maxAttempts) {
        return new SendOverrides(sendTimeout, null, null, null, maxAttempts, null).over(CONFIG, "");
    }
}
