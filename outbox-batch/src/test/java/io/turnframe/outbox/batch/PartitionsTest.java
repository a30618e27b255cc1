package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.DispatchReport;
import io.turnframe.outbox.Dispatched;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the runs of one execution do together. */
class PartitionsTest extends RunFixture {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Set<Thread> looking = ConcurrentHashMap.newKeySet();

    @Test
    void needsNoSecondThreadForOnePartition() {
        assertThat(drive(partitions(Duration.ZERO, 1))).startsWith("completed=0 ");
        assertThat(submitted).hasValue(0);
    }

    @Test
    void addsUpWhatItsRunsDid() throws Exception {
        senders.put("d", entry -> Dispatched.completed());
        store.whenPromoting = () -> looking.add(Thread.currentThread());
        Partitions partitions = partitions(SECOND, 3);
        Future<String> report = inBackground(partitions);
        await().until(() -> looking.size() == 3);
        for (int i = 0; i < 100; i++) {
            store.add("d", 1);
        }
        runs.wake();
        await().until(() -> store.settled.size() == 100);
        await().until(() -> partitions.report().completed() == 100);
        assertThat(report.isDone()).isFalse();
        clock.addAndGet(SECOND.toNanos());
        assertThat(report.get()).isEqualTo("completed=100 retried=0 failed=0 unknown=0 unsettled=0");
        assertThat(partitions.missedWakeUp()).isFalse();
        assertThat(runs.wake()).as("no run listens any more").isTrue();
    }

    @Test
    void isWokenAsAWholeForAsLongAsOneOfThemWorks() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        senders.put("slow", entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        senders.put("d", entry -> Dispatched.completed());
        store.whenPromoting = () -> looking.add(Thread.currentThread());
        store.add("slow", 1);
        Future<String> report = inBackground(partitions(Duration.ZERO, 3));
        sent.await();
        // They do not linger, and stay all the same.
        await().until(() -> looking.size() == 3);
        looking.clear();
        UUID late = store.add("d", 1);
        assertThat(runs.wake()).as("a run must be started").isFalse();
        // It may be the one with the slow send that takes it, and settles it after its moment.
        await().until(() -> {
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            return store.settled.containsKey(late);
        });
        await().until(() -> looking.size() == 3);
        hang.countDown();
        assertThat(report.get()).startsWith("completed=2 ");
    }

    @Test
    void failsWithTheOneThatFailsAndSettlesWhatTheOthersSent() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        UUID slow = sending(entry -> {
            sent.countDown();
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed();
        });
        Thread batchThread = Thread.currentThread();
        CountDownLatch failed = new CountDownLatch(1);
        Partitions partitions = partitions(Duration.ZERO, 1);
        store.whenPromoting = () -> {
            if (Thread.currentThread() != batchThread) {
                failed.countDown();
                throw new IllegalStateException("database down");
            }
        };
        Object send = partitions.next();
        partitions.first().start((Send) send);
        sent.await();
        threads.submit(partitions::drain);
        failed.await();
        await().until(siblings::isStopped);
        hang.countDown();
        assertThatIllegalStateException()
                .isThrownBy(() -> loop(partitions))
                .withMessage("a partition failed")
                .withStackTraceContaining("database down");
        assertThat(partitions.close().completed()).isEqualTo(1);
        assertThat(store.settled).containsKey(slow);
        assertThat(runs.wake()).as("no run is left").isTrue();
    }

    @Test
    void stopsAllOfThem() throws Exception {
        store.whenPromoting = () -> looking.add(Thread.currentThread());
        Future<String> report = inBackground(partitions(Duration.ofMinutes(1), 3));
        await().until(() -> looking.size() == 3);
        stopped.set(true);
        assertThat(report.get()).startsWith("completed=0 ");
        assertThat(runs.shutDown(Duration.ZERO)).as("a run goes on").isFalse();
    }

    @Test
    void doesTheWorkWithFewerWhereNoThreadCanBeHad() {
        assertDoesTheWorkWithFewerAfter(new RejectedExecutionException());
    }

    @Test
    void doesTheWorkWithFewerWhereNoThreadCanBeMade() {
        assertDoesTheWorkWithFewerAfter(new OutOfMemoryError("unable to create native thread"));
    }

    private void assertDoesTheWorkWithFewerAfter(Throwable refusal) {
        UUID id = answering(Dispatched.completed());
        rejecting = refusal;
        Partitions partitions = partitions(Duration.ZERO, 4);
        rejecting = null;
        assertThat(drive(partitions)).startsWith("completed=1 ");
        assertThat(store.settled).containsKey(id);
        assertThat(runs.wake()).as("no run is left").isTrue();
    }

    @Test
    void beginsNoRunAfterTheEnd() {
        Partitions partitions = partitions(Duration.ZERO, 1);
        drive(partitions);
        answering(Dispatched.completed());
        partitions.drain();
        assertThat(store.settled).isEmpty();
    }

    @Test
    void sendsASuspectAloneOverAllOfThem() throws Exception {
        AtomicInteger out = new AtomicInteger();
        List<Integer> seenBySuspect = new CopyOnWriteArrayList<>();
        senders.put("d", entry -> {
            out.incrementAndGet();
            Thread.yield();
            out.decrementAndGet();
            return Dispatched.completed();
        });
        senders.put("suspect", entry -> {
            seenBySuspect.add(out.get());
            Thread.yield();
            seenBySuspect.add(out.get());
            return Dispatched.completed();
        });
        for (int i = 0; i < 100; i++) {
            store.add("d", 1);
            if (i % 10 == 0) {
                store.add("suspect", 1, 1);
            }
        }
        assertThat(inBackground(partitions(Duration.ZERO, 3)).get()).startsWith("completed=110 ");
        assertThat(seenBySuspect).containsOnly(0).hasSize(20);
    }

    @Test
    void reportsUntilItEnds() {
        answering(Dispatched.completed());
        Partitions partitions = partitions(Duration.ZERO, 1);
        runs.begin(7, partitions);
        assertThat(runs.report(7)).contains(DispatchReport.EMPTY);
        drive(partitions);
        assertThat(runs.report(7)).contains(new DispatchReport(1, 0, 0, 0, 0));
        runs.end(7);
        assertThat(runs.report(7)).isEmpty();
    }

    private Partitions partitions(Duration linger, int count) {
        return new Partitions(parts(), CONFIG, linger, count);
    }

    private Future<String> inBackground(Partitions partitions) {
        return threads.submit(() -> drive(partitions));
    }

    private static String drive(Partitions partitions) {
        loop(partitions);
        return partitions.close().toString();
    }

    /** What the batch runtime does with the parts of a chunk step. */
    private static void loop(Partitions partitions) {
        DispatchRun first = partitions.first();
        Object item;
        do {
            item = partitions.next();
            if (item instanceof Send send) {
                first.start(send);
            }
            if (item == null || first.chunkEnds()) {
                first.settle();
            }
        } while (item != null);
    }
}
