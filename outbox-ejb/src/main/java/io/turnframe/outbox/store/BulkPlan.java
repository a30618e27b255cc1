package io.turnframe.outbox.store;

import java.util.List;

/**
 * What a bulk act would do now.
 *
 * @param count to how many entries
 * @param first those that it would begin with
 */
public record BulkPlan(long count, List<OutboxSummary> first) {
    public BulkPlan {
        first = List.copyOf(first);
    }
}
