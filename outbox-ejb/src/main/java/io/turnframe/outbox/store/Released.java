package io.turnframe.outbox.store;

import java.util.List;
import java.util.UUID;

/**
 * What a release of abandoned claims did; both lists are sorted.
 *
 * @param pending back in the queue, due at once
 * @param unknown set to outcome_unknown, since their send may have left
 */
public record Released(List<UUID> pending, List<UUID> unknown) {
    /** Whether nothing was released. */
    public boolean isEmpty() {
        return pending.isEmpty() && unknown.isEmpty();
    }
}
