package io.turnframe.outbox.batch;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Counts the sends in flight on this node, in all and by destination. A slot is taken until its thread is back. */
@ApplicationScoped
public class SendSlots {
    private final Map<String, Integer> byDestination = new HashMap<>();
    private int total;

    /** Takes a slot if fewer than these are taken. */
    synchronized boolean tryTake(String destination, int maxTotal, int maxDestination) {
        int taken = byDestination.getOrDefault(destination, 0);
        if (total >= maxTotal || taken >= maxDestination) {
            return false;
        }
        total++;
        byDestination.put(destination, taken + 1);
        return true;
    }

    synchronized void free(String destination) {
        total--;
        byDestination.merge(destination, -1, (taken, less) -> taken + less == 0 ? null : taken + less);
    }

    synchronized int total() {
        return total;
    }

    synchronized int taken(String destination) {
        return byDestination.getOrDefault(destination, 0);
    }

    /** The destinations with a send in flight. */
    synchronized Set<String> destinations() {
        return Set.copyOf(byDestination.keySet());
    }
}
