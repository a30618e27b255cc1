package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What observers hear, and what they cannot do. */
class ObserversTest extends RunFixture {
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    void tellsHowEachSendAndEachSettlementEnded() {
        observers.add(new Recorder());
        answering(Dispatched.completed("PNR"));
        answering(Dispatched.retryable("busy"));
        answering(Dispatched.permanent("no"));
        answering(Dispatched.unknown());
        sending(entry -> {
            throw new IllegalStateException();
        });
        senders.put("lost", entry -> Dispatched.completed());
        store.neverSettles = store.add("lost", 1);
        drive(run());
        await().untilAsserted(() -> assertThat(heard)
                .containsExactlyInAnyOrder(
                        "sent d0 PT0S COMPLETED",
                        "sent d1 PT0S RETRYABLE",
                        "sent d2 PT0S PERMANENT",
                        "sent d3 PT0S UNKNOWN",
                        "sent d4 PT0S UNKNOWN",
                        "sent lost PT0S COMPLETED",
                        "settled d0 COMPLETED null",
                        "settled d1 RETRIED busy",
                        "settled d2 FAILED no",
                        "settled d3 UNKNOWN null",
                        "settled d4 UNKNOWN null",
                        "settled lost UNSETTLED null",
                        "unknown d3",
                        "unknown d4"));
    }

    @Test
    void countsAMissedDeadlineAsSoLongASend() throws Exception {
        observers.add(new Recorder());
        CountDownLatch sent = new CountDownLatch(1);
        sending(entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.unknown();
        });
        Future<String> report = inBackground(run());
        sent.await();
        clock.addAndGet(CONFIG.sendTimeout().toNanos());
        report.get();
        await().untilAsserted(() -> assertThat(heard)
                .containsExactlyInAnyOrder("sent d0 PT30S UNKNOWN", "settled d0 UNKNOWN null", "unknown d0"));
    }

    @Test
    void tellsAgainOnceAThreadCanBeHad() {
        Observers told = new Observers(List.of(new Recorder()), new FakeExecutor());
        rejecting = new OutOfMemoryError("unable to create native thread");
        told.outcomeUnknown("a");
        rejecting = null;
        told.outcomeUnknown("b");
        await().untilAsserted(() -> assertThat(heard).containsExactly("unknown a", "unknown b"));
    }

    @Test
    void letsNobodySufferFromOneThatThrowsAndNamesItOnce() {
        AtomicInteger thrown = new AtomicInteger();
        observers.add(new OutboxObserver() {
            @Override
            public void sent(String destination, Duration latency, Dispatched.Kind answer) {
                thrown.incrementAndGet();
                throw new IllegalStateException();
            }

            @Override
            public void settled(String destination, Outcome outcome, String code) {
                thrown.incrementAndGet();
                throw new StackOverflowError();
            }
        });
        observers.add(new Recorder());
        answering(Dispatched.completed());
        answering(Dispatched.completed());
        try (Warnings warnings = new Warnings()) {
            assertThat(drive(run())).isEqualTo("completed=2 retried=0 failed=0 unknown=0 unsettled=0");
            await().until(() -> heard.size() == 4);
            assertThat(thrown).hasValue(4);
            assertThat(warnings.messages).singleElement().asString().endsWith("threw; this is said once");
        }
    }

    @Test
    void waitsForNoneThatIsSlow() {
        observers.add(new OutboxObserver() {
            @Override
            public void sent(String destination, Duration latency, Dispatched.Kind answer) {
                awaitIgnoringInterrupts(hang);
            }
        });
        observers.add(new Recorder());
        answering(Dispatched.completed());
        assertThat(drive(run())).startsWith("completed=1 ");
        assertThat(heard).isEmpty();
        hang.countDown();
        await().until(() -> heard.size() == 2);
    }

    @Test
    void dropsSignalsWhileThousandsWait() {
        CountDownLatch called = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        OutboxObserver slow = new OutboxObserver() {
            @Override
            public void outcomeUnknown(String destination) {
                called.countDown();
                awaitIgnoringInterrupts(hang);
                told.incrementAndGet();
            }
        };
        Observers all = new Observers(List.of(slow), new FakeExecutor());
        all.outcomeUnknown("d");
        awaitIgnoringInterrupts(called);
        try (Warnings warnings = new Warnings()) {
            for (int i = 0; i < Observers.MOST_WAITING + 5; i++) {
                all.outcomeUnknown("d");
            }
            assertThat(warnings.messages).hasSize(1);
        }
        hang.countDown();
        await().until(() -> told.get() == Observers.MOST_WAITING + 1);
        all.outcomeUnknown("d");
        await().until(() -> told.get() == Observers.MOST_WAITING + 2);
    }

    private final class Recorder implements OutboxObserver {
        @Override
        public void sent(String destination, Duration latency, Dispatched.Kind answer) {
            heard.add("sent " + destination + " " + latency + " " + answer);
        }

        @Override
        public void outcomeUnknown(String destination) {
            heard.add("unknown " + destination);
        }

        @Override
        public void settled(String destination, Outcome outcome, String code) {
            heard.add("settled " + destination + " " + outcome + " " + code);
        }
    }

    /** What {@link Observers} logs while this is open. */
    private static final class Warnings extends Handler implements AutoCloseable {
        private final Logger logger = Logger.getLogger(Observers.class.getName());
        final List<String> messages = new CopyOnWriteArrayList<>();

        Warnings() {
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord record) {
            messages.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }
}
