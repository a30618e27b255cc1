package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.store.ClaimedEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A run over a store in memory, driven as the batch runtime drives it, by a clock that stands still unless moved. */
@Timeout(30)
abstract class RunFixture {
    static final DispatchConfig CONFIG = DispatchConfig.defaults("w");
    static final int CLAIM_BYTES = 1_000_000;

    final FakeStore store = new FakeStore();
    final Map<String, OutboxSender> senders = new ConcurrentHashMap<>();
    final Set<String> deduplicating = new HashSet<>();
    final Map<String, Integer> caps = new HashMap<>();
    final Map<String, DispatchConfig> configs = new HashMap<>();
    final SendSlots slots = new SendSlots();
    final NodeRuns runs = new NodeRuns();
    final Siblings siblings = new Siblings();
    final List<OutboxObserver> observers = new ArrayList<>();
    final AtomicLong clock = new AtomicLong();
    final Breakers breakers = new Breakers(clock::get);
    final FakeTransactions transactions = new FakeTransactions(store);
    final AtomicBoolean stopped = new AtomicBoolean();
    final List<Duration> retries = new ArrayList<>();
    final ExecutorService threads = Executors.newCachedThreadPool();
    final CountDownLatch hang = new CountDownLatch(1);
    volatile Controls.Said said = Controls.Said.NOTHING;
    final AtomicInteger submitted = new AtomicInteger();
    /** What a submit throws; null for nothing. */
    Throwable rejecting;

    @AfterEach
    void end() {
        hang.countDown();
        threads.shutdownNow();
    }

    UUID answering(Dispatched answer) {
        return sending(entry -> answer);
    }

    UUID sending(OutboxSender sender) {
        String destination = "d" + senders.size();
        senders.put(destination, sender);
        return store.add(destination, 1);
    }

    /** Of an entry of its own, which the store does not know. */
    static Send send(String destination) {
        return send(OutboxEntry.pending(new UUID(1, 1), destination, "k", "{}"));
    }

    /** An attempt at the entry. */
    static Send send(OutboxEntry entry) {
        return new Send(new ClaimedEntry(entry, 1, 0), UUID.randomUUID(), Long.MAX_VALUE, CONFIG);
    }

    DispatchRun run() {
        return new DispatchRun(parts(), CONFIG, Duration.ZERO);
    }

    RunParts parts() {
        return new RunParts(
                store,
                new FakeSenders(),
                slots,
                new FakeControls(),
                breakers,
                runs,
                siblings,
                new Observers(observers, new FakeExecutor()),
                new FakeExecutor(),
                transactions,
                stopped::get,
                clock::get,
                CLAIM_BYTES,
                JournalMode.NOT_COMPLETED,
                retries::add);
    }

    Future<String> inBackground(DispatchRun run) {
        return threads.submit(() -> drive(run));
    }

    static String drive(DispatchRun run) {
        run.drain();
        return run.close().toString();
    }

    static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException deaf) {
                continue;
            }
        }
    }

    final class FakeSenders extends Senders {
        final Set<String> unroutable = ConcurrentHashMap.newKeySet();

        @Override
        Optional<OutboxSender> find(String destination) {
            OutboxSender sender = senders.get(destination);
            if (sender == null) {
                unroutable.add(destination);
            }
            return Optional.ofNullable(sender);
        }

        @Override
        Set<String> unroutable() {
            return Set.copyOf(unroutable);
        }

        @Override
        Set<String> configured() {
            return senders.keySet();
        }

        @Override
        DispatchConfig config(String destination, DispatchConfig run) {
            return configs.getOrDefault(destination, run);
        }

        @Override
        Set<String> deduplicating() {
            return deduplicating;
        }

        @Override
        boolean deduplicates(String destination) {
            return deduplicating.contains(destination);
        }

        @Override
        int breakerAfter(String destination) {
            return DestinationConfig.BREAKER_AFTER;
        }

        @Override
        int concurrency(String destination, int nodeConcurrency) {
            return caps.getOrDefault(destination, 8);
        }
    }

    final class FakeControls extends Controls {
        @Override
        Said fresh() {
            return said;
        }

        @Override
        Said freshOrKnown() {
            return said;
        }

        @Override
        Said known() {
            return said;
        }
    }

    final class FakeExecutor extends SendExecutor {
        @Override
        Future<?> submit(Runnable task) {
            if (rejecting instanceof Error error) {
                throw error;
            }
            if (rejecting != null) {
                throw (RuntimeException) rejecting;
            }
            submitted.incrementAndGet();
            return threads.submit(task);
        }
    }
}
