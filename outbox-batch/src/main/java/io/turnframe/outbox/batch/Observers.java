package io.turnframe.outbox.batch;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.Reconciled;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Tells the {@link OutboxObserver}s, on a thread of the executor while there is something to tell: whoever has a signal
 * never waits for them, and never meets what they throw.
 */
@ApplicationScoped
public class Observers {
    /** So many signals wait at most. */
    static final int MOST_WAITING = 10_000;

    private static final Logger LOG = Logger.getLogger(Observers.class.getName());

    @Inject
    @Any
    private Instance<OutboxObserver> beans;

    @Inject
    private SendExecutor executor;

    private List<OutboxObserver> observers;

    private final Queue<Consumer<OutboxObserver>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicBoolean telling = new AtomicBoolean();
    private final AtomicBoolean dropping = new AtomicBoolean();
    private final Set<Class<?>> throwing = ConcurrentHashMap.newKeySet();

    /** For CDI. */
    Observers() {}

    Observers(List<OutboxObserver> observers, SendExecutor executor) {
        this.observers = List.copyOf(observers);
        this.executor = executor;
    }

    @PostConstruct
    void find() {
        observers = new ArrayList<>();
        for (Instance.Handle<OutboxObserver> handle : beans.handles()) {
            try {
                observers.add(handle.get());
            } catch (RuntimeException unusable) {
                LOG.log(Level.WARNING, "an observer cannot be made and will hear nothing", unusable);
            }
        }
    }

    /** Whether there is nobody to tell. */
    boolean isEmpty() {
        return observers.isEmpty();
    }

    void claimed(int entries, Duration took) {
        tell(observer -> observer.claimed(entries, took));
    }

    void sent(String destination, Duration latency, Dispatched.Kind answer) {
        tell(observer -> observer.sent(destination, latency, answer));
    }

    void outcomeUnknown(String destination) {
        tell(observer -> observer.outcomeUnknown(destination));
    }

    void inDoubt(String destination) {
        tell(observer -> observer.inDoubt(destination));
    }

    /** @param code null unless it was retried or failed */
    void settled(String destination, OutboxObserver.Outcome outcome, String code) {
        tell(observer -> observer.settled(destination, outcome, code));
    }

    void reconciled(String destination, Reconciled.Kind answer) {
        tell(observer -> observer.reconciled(destination, answer));
    }

    private void tell(Consumer<OutboxObserver> signal) {
        if (observers.isEmpty()) {
            return;
        }
        if (waitingCount.incrementAndGet() > MOST_WAITING) {
            waitingCount.decrementAndGet();
            if (dropping.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "an observer is too slow; signals are dropped while {0} wait", MOST_WAITING);
            }
            return;
        }
        waiting.add(signal);
        if (telling.compareAndSet(false, true)) {
            try {
                executor.submit(this::tellAll);
            } catch (RuntimeException | Error noThread) {
                telling.set(false);
                LOG.log(Level.FINE, "no thread to tell observers; the next signal tries again", noThread);
            }
        }
    }

    private void tellAll() {
        do {
            for (Consumer<OutboxObserver> signal; (signal = waiting.poll()) != null; ) {
                waitingCount.decrementAndGet();
                for (OutboxObserver observer : observers) {
                    tell(observer, signal);
                }
            }
            telling.set(false);
        } while (!waiting.isEmpty() && telling.compareAndSet(false, true));
    }

    private void tell(OutboxObserver observer, Consumer<OutboxObserver> signal) {
        try {
            signal.accept(observer);
        } catch (Throwable accident) {
            if (throwing.add(observer.getClass())) {
                LOG.log(Level.WARNING, observer.getClass().getName() + " threw; this is said once", accident);
            }
        }
    }
}
