package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DestinationControl;
import java.time.Instant;

/**
 * A destination as this node sees it.
 *
 * @param name its name
 * @param route where its entries go, without secrets; null if this node's configuration does not list it
 * @param routable whether it has a sender now; false for one that is not listed
 * @param deduplicates whether its remote is declared to drop a request whose key it has seen
 * @param held whether it is held, by itself
 * @param concurrency claims on it at most, over all nodes; null for no such limit
 * @param rate sends a second at most, over all nodes; null for no such limit
 * @param inFlight sends of this node that are out
 * @param breaker {@code open} while nothing is sent to it from this node because it is failing, {@code probing} when one entry is
 *     tried; null while it is well
 * @param breakerCode the code of the answer that opened its breaker last; null if none did, or there was no clear answer
 * @param probeInSeconds until the next one is tried; null while it is well
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
        String breaker,
        String breakerCode,
        Long probeInSeconds,
        String note,
        String changedBy,
        Instant changedAt) {
    static DestinationState of(
            DestinationControl control,
            DestinationConfig configured,
            boolean routable,
            int inFlight,
            Breakers.State breaker) {
        return new DestinationState(
                control.destination(),
                configured == null ? null : configured.route(),
                routable,
                configured != null && configured.deduplicates(),
                control.held(),
                control.concurrency(),
                control.rate(),
                inFlight,
                breaker == null ? null : breaker.state(),
                breaker == null ? null : breaker.code(),
                breaker == null ? null : breaker.probeIn().toSeconds(),
                control.note(),
                control.changedBy(),
                control.changedAt());
    }
}
