package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A destination that is down among others: few requests, no budget used up, nobody else held up, and it comes back. */
class FailingDestinationTest extends RunFixture {
    private static final int ENTRIES = 60;

    private final AtomicInteger requests = new AtomicInteger();
    private volatile Dispatched answer = Dispatched.unavailable("down");

    @Test
    void sendsLittleToADestinationThatIsDownAndAllToTheOthers() {
        rows("down", ENTRIES);
        senders.put("up", entry -> Dispatched.completed());
        for (int i = 0; i < ENTRIES; i++) {
            store.add("up", 1);
        }
        assertThat(drive(run())).startsWith("completed=" + ENTRIES + " ");
        // Those that were out together when the breaker opened.
        assertThat(requests.get()).isBetween(DestinationConfig.BREAKER_AFTER, DestinationConfig.BREAKER_AFTER + 8);
        assertThat(store.settled.values())
                .filteredOn(settlement -> settlement.status() == OutboxStatus.PENDING)
                .hasSize(requests.get())
                .allMatch(Settlement::forgiven);
        assertThat(retries).as("when to look again").contains(Duration.ofSeconds(1));
    }

    @Test
    void givesBackUnsentWhatItHasClaimed() {
        caps.put("down", 1);
        rows("down", ENTRIES);
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER);
        assertThat(store.givenBack).isNotEmpty();
        assertThat(store.givenBack.size() + store.queue.size() + requests.get()).isEqualTo(ENTRIES);
    }

    @Test
    void triesOneEntryAfterThePauseAndWaitsAgain() {
        caps.put("down", 1);
        rows("down", ENTRIES);
        drive(run());
        for (int probe = 1; probe <= 3; probe++) {
            drive(run());
            assertThat(requests.get()).as("within the pause").isEqualTo(DestinationConfig.BREAKER_AFTER + probe - 1);
            pass();
            drive(run());
            assertThat(requests.get()).as("after the pause").isEqualTo(DestinationConfig.BREAKER_AFTER + probe);
        }
    }

    @Test
    void sendsOneAtATimeUntilOneArrives() throws Exception {
        rows("down", ENTRIES);
        drive(run());
        int before = requests.get();
        int left = store.queue.size();
        pass();
        CountDownLatch probed = new CountDownLatch(1);
        senders.put("down", entry -> {
            requests.incrementAndGet();
            probed.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        UUID other = answering(Dispatched.completed());
        Future<String> report = inBackground(run());
        probed.await();
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            return store.settled.containsKey(other);
        });
        assertThat(requests.get()).as("while the probe is out").isEqualTo(before + 1);
        hang.countDown();
        assertThat(report.get()).startsWith("completed=" + (left + 1) + " ");
        assertThat(breakers.failing()).isEmpty();
    }

    /** It has missed its deadline and is deaf to the interrupt: its slot is taken until its thread is back. */
    @Test
    void triesOneEntryAlsoWhileASendOfBeforeHangs() {
        caps.put("down", 2);
        slots.tryTake("down", CONFIG.concurrency(), 2);
        rows("down", ENTRIES);
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER);
        pass();
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER + 1);
    }

    @Test
    void triesNoneWhileThoseThatHangHaveAllItsSlots() {
        caps.put("down", 1);
        rows("down", ENTRIES);
        drive(run());
        slots.tryTake("down", CONFIG.concurrency(), 1);
        pass();
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER);
        slots.free("down");
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER + 1);
    }

    @Test
    void keepsThePauseWhenWhatWasOutBeforeMissesItsDeadlineAfterIt() throws Exception {
        senders.put("down", entry -> {
            if (requests.incrementAndGet() <= 3) {
                awaitIgnoringInterrupts(hang);
            }
            return answer;
        });
        for (int i = 0; i < 3 + DestinationConfig.BREAKER_AFTER; i++) {
            store.add("down", 1);
        }
        Future<String> report = inBackground(run());
        await().until(() -> breakers.isOpen("down"));
        clock.addAndGet(CONFIG.sendTimeout().toNanos());
        assertThat(report.get()).contains("unknown=3");
        Breakers.State probing = new Breakers.State("probing", "down", Duration.ZERO);
        assertThat(breakers.state("down")).contains(probing);
        hang.countDown();
        await().until(() -> slots.taken("down") == 0);
        assertThat(breakers.state("down")).as("after their answers").contains(probing);
    }

    @Test
    void triesAnotherWhereTheOneToTryIsNotSent() {
        caps.put("down", 1);
        rows("down", ENTRIES);
        drive(run());
        pass();
        store.lost.add(store.queue.get(0).entry().outboxId());
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER + 1);
    }

    @Test
    void triesAnotherWhereTheOneToTryIsRefusedWithoutARequest() {
        caps.put("down", 1);
        rows("down", ENTRIES);
        drive(run());
        pass();
        UUID invalid = store.queue.get(0).entry().outboxId();
        senders.put("down", entry -> {
            requests.incrementAndGet();
            return entry.outboxId().equals(invalid) ? Dispatched.permanent("turnframe.http.invalid_key") : answer;
        });
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER + 2);
        assertThat(breakers.state("down")).contains(new Breakers.State("open", "down", Duration.ofSeconds(4)));
    }

    @Test
    void triesAnotherWhereTheRunThatWaitedForTheProbeIsNoMore() throws Exception {
        caps.put("down", 2);
        rows("down", ENTRIES);
        drive(run());
        pass();
        CountDownLatch probed = new CountDownLatch(1);
        senders.put("down", entry -> {
            probed.countDown();
            awaitIgnoringInterrupts(hang);
            return answer;
        });
        AtomicReference<Thread> job = new AtomicReference<>();
        Future<String> report = threads.submit(() -> {
            job.set(Thread.currentThread());
            return drive(run());
        });
        probed.await();
        assertThat(breakers.isProbed("down")).isTrue();
        job.get().interrupt();
        report.get();
        senders.put("down", entry -> Dispatched.completed());
        assertThat(drive(run())).startsWith("completed=");
        assertThat(breakers.failing()).isEmpty();
    }

    @Test
    void triesOneEntryAlsoWhereALimitHoldsOverAllNodes() {
        caps.put("down", 1);
        rows("down", ENTRIES);
        said = new Controls.Said(false, Set.of(), Set.of("down"));
        store.permits.put("down", ENTRIES);
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER);
        pass();
        drive(run());
        assertThat(requests.get()).isEqualTo(DestinationConfig.BREAKER_AFTER + 1);
    }

    @Test
    void usesUpTheBudgetWhereTheRemoteWasReached() {
        answer = Dispatched.retryable("busy");
        senders.put("busy", entry -> answer);
        UUID spent = store.add("busy", CONFIG.maxAttempts());
        UUID retried = store.add("busy", 1);
        drive(run());
        assertThat(store.settled.get(spent)).isEqualTo(Settlement.failed(spent, Verdict.ATTEMPTS_EXHAUSTED));
        assertThat(store.settled.get(retried).forgiven()).isFalse();
    }

    /** The budget is untouched, and the back-off grows with the attempts all the same. */
    @Test
    void failsNoEntryOfADestinationThatIsDown() {
        senders.put("down", entry -> answer);
        UUID id = store.add("down", 40);
        drive(run());
        assertThat(store.settled.get(id)).isEqualTo(Settlement.unavailable(id, "down", CONFIG.maxBackoff()));
    }

    private void rows(String destination, int count) {
        senders.put(destination, entry -> {
            requests.incrementAndGet();
            return answer;
        });
        for (int i = 0; i < count; i++) {
            store.add(destination, 1);
        }
    }

    private void pass() {
        clock.addAndGet(breakers.state("down").orElseThrow().probeIn().toNanos());
    }
}
