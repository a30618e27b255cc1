package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.Dispatched;
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
 * closes the breaker, or opens it for a longer pause. Each node has its own, in memory.
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
     * Takes in how a send ended.
     *
     * @param threshold entries in a row that open it; 0: none do
     * @param config whose back-off is the pauses
     * @return how long nothing is to be sent from now on, if this opened the breaker
     */
    Optional<Duration> heard(String destination, UUID entry, Dispatched answer, int threshold, DispatchConfig config) {
        synchronized (lock) {
            long now = ticker.getAsLong();
            Breaker breaker = byDestination.get(destination);
            switch (answer.kind()) {
                case COMPLETED, PERMANENT -> {
                    if (byDestination.remove(destination) != null && breaker.openings > 0) {
                        LOG.log(Level.INFO, "destination {0} answers again; its entries go on", destination);
                    }
                    return Optional.empty();
                }
                case UNKNOWN -> {
                    boolean probe = breaker != null && breaker.isProbing(now);
                    return probe ? Optional.of(open(destination, breaker, null, now, config)) : Optional.empty();
                }
                default -> {
                    return missed(destination, entry, (Dispatched.Retryable) answer, threshold, config, now);
                }
            }
        }
    }

    private Optional<Duration> missed(
            String destination,
            UUID entry,
            Dispatched.Retryable answer,
            int threshold,
            DispatchConfig config,
            long now) {
        if (threshold == 0) {
            return Optional.empty();
        }
        Breaker breaker = byDestination.computeIfAbsent(destination, name -> new Breaker());
        if (breaker.isOpen(now)) {
            // It was out already when the breaker opened.
            return Optional.empty();
        }
        breaker.missed.add(entry);
        boolean opens = breaker.isProbing(now) || breaker.missed.size() >= threshold;
        return opens ? Optional.of(open(destination, breaker, answer.code(), now, config)) : Optional.empty();
    }

    private static Duration open(String destination, Breaker breaker, String code, long now, DispatchConfig config) {
        breaker.openings++;
        breaker.missed.clear();
        breaker.code = Verdict.codeOrNull(code);
        Duration pause = config.backoffFor(breaker.openings);
        breaker.until = now + pause.toNanos();
        LOG.log(
                breaker.openings == 1 ? Level.WARNING : Level.FINE,
                "destination {0} is failing ({1}); its entries wait, and one of them is tried in {2}",
                new Object[] {destination, code == null ? "no clear answer" : breaker.code, pause});
        return pause;
    }

    boolean isOpen(String destination) {
        synchronized (lock) {
            Breaker breaker = byDestination.get(destination);
            return breaker != null && breaker.isOpen(ticker.getAsLong());
        }
    }

    boolean isProbing(String destination) {
        synchronized (lock) {
            Breaker breaker = byDestination.get(destination);
            return breaker != null && breaker.isProbing(ticker.getAsLong());
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
