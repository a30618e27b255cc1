package io.turnframe.outbox.store;

import java.util.Set;

/**
 * The destinations of a question.
 *
 * @param destinations their names
 * @param exclusive whether it is about all but these
 */
public record DestinationScope(Set<String> destinations, boolean exclusive) {
    /** Every destination. */
    public static final DestinationScope ALL = new DestinationScope(Set.of(), true);

    /** @throws IllegalArgumentException if it is about none */
    public DestinationScope {
        destinations = Set.copyOf(destinations);
        if (destinations.isEmpty() && !exclusive) {
            throw new IllegalArgumentException("a question about no destination");
        }
    }

    /** All but these. */
    public static DestinationScope except(Set<String> destinations) {
        return new DestinationScope(destinations, true);
    }

    /** These alone; a few, since each is asked about by itself. */
    public static DestinationScope only(Set<String> destinations) {
        return new DestinationScope(destinations, false);
    }
}
