package io.turnframe.outbox.store;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a release of abandoned claims did; both lists are sorted.
 *
 * @param pending back in the queue, due at once
 * @param unknown set to outcome_unknown, since their send may have left
 */
public record Released(List<UUID> pending, List<UUID> unknown) {
    /** Nothing was released. */
    public static final Released NONE = new Released(List.of(), List.of());

    /** Whether nothing was released. */
    public boolean isEmpty() {
        return pending.isEmpty() && unknown.isEmpty();
    }

    /** How many rows were released. */
    public int size() {
        return pending.size() + unknown.size();
    }

    /** Both together. */
    public Released plus(Released other) {
        return new Released(sorted(pending, other.pending), sorted(unknown, other.unknown));
    }

    private static List<UUID> sorted(List<UUID> some, List<UUID> others) {
        List<UUID> all = new ArrayList<>(some);
        all.addAll(others);
        all.sort(Ids.ORDER);
        return all;
    }
}
