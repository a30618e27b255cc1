package io.turnframe.outbox.batch;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.batch.http.HttpSender;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Keeps a destination that is failing from being hammered. So many entries in a row that did not arrive <em>open</em> its
 * breaker: nothing is claimed of it for a pause. After the pause one entry is sent, the <em>probe</em>; what it meets
 * closes the breaker, or opens it for a longer pause. What was out already when it opened may close it, and no more: it
 * was sent before the pause. Each node has its own, in memory.
 *
 * <p>Different entries, since one that is refused again and again, while nothing else is due, says little of the
 * destination, and its back-off keeps it from hammering.
 *
 * <p>It locks an object of its own: the proxy of a scoped bean repeats {@code synchronized}, on another monitor.
 */
@ApplicationScoped
public class Breakers {
    private static final Logger LOG = Logger.getLogger(Breakers.class.getName());

    private final Object lock = new Object();
    private final Map<String, Breaker> byDestination = new HashMap<>();
    private LongSupplier ticker = System::nanoTime;

    /** With the system's ticker; public for the container. */
    public Breakers() {}

    /** @param ticker monotonic nanoseconds */
    Breakers(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** What is known of a destination whose last sends did not arrive. */
    private static final class Breaker {
        private final Set<UUID> missed = new HashSet<>();
        private int openings;
        private long until;
        private String code;
        /** The send that is out since the pause ended; null while none is. */
        private Send probe;

        boolean isOpen(long now) {
            return openings > 0 && now - until < 0;
        }

        /** The pause is over, and nothing has arrived since. */
        boolean isProbing(long now) {
            return openings > 0 && now - until >= 0;
        }
    }

    /**
     * What is shown of a breaker that is not closed.
     *
     * @param state {@code open}, or {@code probing} once the pause is over
     * @param code of the answer that opened it last; null if there was no clear one
     * @param probeIn how long until the next probe; zero while probing
     */
    record State(String state, String code, Duration probeIn) {}

    /**
     * Whether the send may start: always while the breaker is closed, never while it is open. After the pause the first that
     * asks may, as the probe; no other until that is {@linkplain #heard heard} or {@linkplain #withdraw withdrawn}.
     */
    boolean admit(Send send) {
        synchronized (lock) {
            Breaker breaker = byDestination.get(send.entry().destination());
            if (breaker == null || breaker.openings == 0) {
                return true;
            }
            if (breaker.isOpen(ticker.getAsLong()) || breaker.probe != null) {
                return false;
            }
            breaker.probe = send;
            return true;
        }
    }

    /** Lets another be the probe if it was this, since it will not be sent. Else nothing happens, as after its answer. */
    void withdraw(Send send) {
        synchronized (lock) {
            Breaker breaker = byDestination.get(send.entry().destination());
            if (breaker != null && breaker.probe == send) {
                breaker.probe = null;
            }
        }
    }

    /**
     * Takes in how a send ended. Its config's back-off is the pauses. An entry that was refused before anything was sent
     * says nothing of the destination, and another may be the probe.
     *
     * @param threshold entries in a row that open it; 0: none do
     * @return how long nothing is to be sent from now on, if this opened the breaker
     */
    Optional<Duration> heard(Send send, Dispatched answer, int threshold) {
        synchronized (lock) {
            String destination = send.entry().destination();
            if (neverLeft(answer)) {
                withdraw(send);
                return Optional.empty();
            }
            Breaker breaker = byDestination.get(destination);
            switch (answer.kind()) {
                case COMPLETED, PERMANENT -> {
                    if (byDestination.remove(destination) != null && breaker.openings > 0) {
                        LOG.log(Level.INFO, "destination {0} answers again; its entries go on", destination);
                    }
                    return Optional.empty();
                }
                case UNKNOWN -> {
                    boolean probe = breaker != null && breaker.probe == send;
                    return probe ? Optional.of(open(breaker, send, null)) : Optional.empty();
                }
                default -> {
                    return missed(send, (Dispatched.Retryable) answer, threshold);
                }
            }
        }
    }

    private static boolean neverLeft(Dispatched answer) {
        return answer instanceof Dispatched.Permanent refused && refused.code().equals(HttpSender.INVALID_KEY);
    }

    private Optional<Duration> missed(Send send, Dispatched.Retryable answer, int threshold) {
        if (threshold == 0) {
            return Optional.empty();
        }
        Breaker breaker = byDestination.computeIfAbsent(send.entry().destination(), name -> new Breaker());
        boolean opens;
        if (breaker.openings > 0) {
            // Any other was out already when the breaker opened.
            opens = breaker.probe == send;
        } else {
            breaker.missed.add(send.id());
            opens = breaker.missed.size() >= threshold;
        }
        return opens ? Optional.of(open(breaker, send, answer.code())) : Optional.empty();
    }

    private Duration open(Breaker breaker, Send send, String code) {
        breaker.openings++;
        breaker.missed.clear();
        breaker.probe = null;
        breaker.code = Verdict.codeOrNull(code);
        Duration pause = send.config().backoffFor(breaker.openings);
        breaker.until = ticker.getAsLong() + pause.toNanos();
        LOG.log(
                breaker.openings == 1 ? Level.WARNING : Level.FINE,
                "destination {0} is failing ({1}); its entries wait, and one of them is tried in {2}",
                new Object[] {send.entry().destination(), code == null ? "no clear answer" : breaker.code, pause});
        return pause;
    }

    boolean isOpen(String destination) {
        synchronized (lock) {
            Breaker breaker = byDestination.get(destination);
            return breaker != null && breaker.isOpen(ticker.getAsLong());
        }
    }

    /** Whether a probe of it is out: nothing else is sent to it until that is heard. */
    boolean isProbed(String destination) {
        synchronized (lock) {
            Breaker breaker = byDestination.get(destination);
            return breaker != null && breaker.probe != null;
        }
    }

    /** The destinations that nothing is sent to now. */
    Set<String> open() {
        synchronized (lock) {
            long now = ticker.getAsLong();
            return byDestination.entrySet().stream()
                    .filter(each -> each.getValue().isOpen(now))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /** The destinations that one entry at a time is sent to, until one arrives. */
    Set<String> probing() {
        synchronized (lock) {
            long now = ticker.getAsLong();
            return byDestination.entrySet().stream()
                    .filter(each -> each.getValue().isProbing(now))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /** The destinations whose breaker is not closed on this node. */
    public Set<String> failing() {
        synchronized (lock) {
            return byDestination.entrySet().stream()
                    .filter(each -> each.getValue().openings > 0)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /** What is shown of a destination's breaker; empty while it is closed. */
    Optional<State> state(String destination) {
        synchronized (lock) {
            long now = ticker.getAsLong();
            Breaker breaker = byDestination.get(destination);
            if (breaker == null || breaker.openings == 0) {
                return Optional.empty();
            }
            boolean open = breaker.isOpen(now);
            return Optional.of(new State(
                    open ? "open" : "probing",
                    breaker.code,
                    open ? Duration.ofNanos(breaker.until - now) : Duration.ZERO));
        }
    }
}
