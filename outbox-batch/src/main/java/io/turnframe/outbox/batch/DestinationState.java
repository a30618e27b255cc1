package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DestinationControl;
import java.time.Instant;

/**
 * A destination as this node sees it.
 *
 * @param name its name
 * @param route where its entries go, without secrets; null if this node's configuration does not list it
 * @param routable whether a sender was found when it was last looked for; false for one that is not listed
 * @param deduplicates whether its remote is declared to drop a request whose key it has seen
 * @param held whether it is held, by itself
 * @param concurrency claims on it at most, over all nodes; null for no such limit
 * @param rate sends a second at most, over all nodes; null for no such limit
 * @param inFlight sends of this node that are out
 * @param note why it is held or limited; null if nobody said
 * @param changedBy who said so last; null if nobody did
 * @param changedAt when; null if nobody did
 */
public record DestinationState(
        String name,
        String route,
        boolean routable,
        boolean deduplicates,
        boolean held,
        Integer concurrency,
        Double rate,
        int inFlight,
        String note,
        String changedBy,
        Instant changedAt) {
    static DestinationState of(
            DestinationControl control, DestinationConfig configured, boolean routable, int inFlight) {
        return new DestinationState(
                control.destination(),
                configured == null ? null : configured.route(),
                configured != null && routable,
                configured != null && configured.deduplicates(),
                control.held(),
                control.concurrency(),
                control.rate(),
                inFlight,
                control.note(),
                control.changedBy(),
                control.changedAt());
    }
}
