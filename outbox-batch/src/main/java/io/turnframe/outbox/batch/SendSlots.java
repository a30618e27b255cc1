package io.turnframe.outbox.batch;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts the sends in flight on this node, in all and by destination. A slot is taken until its thread is back.
 *
 * <p>It locks an object of its own: the proxy of a scoped bean repeats {@code synchronized}, on another monitor.
 */
@ApplicationScoped
public class SendSlots {
    private final Object lock = new Object();
    private final Map<String, Integer> byDestination = new HashMap<>();
    private int total;

    /** Takes a slot if fewer than these are taken. */
    boolean tryTake(String destination, int maxTotal, int maxDestination) {
        synchronized (lock) {
            int taken = byDestination.getOrDefault(destination, 0);
            if (total >= maxTotal || taken >= maxDestination) {
                return false;
            }
            total++;
            byDestination.put(destination, taken + 1);
            return true;
        }
    }

    void free(String destination) {
        synchronized (lock) {
            total--;
            byDestination.merge(destination, -1, (taken, less) -> taken + less == 0 ? null : taken + less);
        }
    }

    int total() {
        synchronized (lock) {
            return total;
        }
    }

    int taken(String destination) {
        synchronized (lock) {
            return byDestination.getOrDefault(destination, 0);
        }
    }

    /** The sends in flight by destination, where there are any. */
    public Map<String, Integer> inFlight() {
        synchronized (lock) {
            return Map.copyOf(byDestination);
        }
    }

    /** The destinations with a send in flight. */
    Set<String> destinations() {
        synchronized (lock) {
            return Set.copyOf(byDestination.keySet());
        }
    }
}
