package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxWriter;
import java.util.Set;
import java.util.UUID;

/**
 * What a dispatcher asks of a claim.
 *
 * @param limit rows at most, 1 to {@value OutboxWriter#MAX_CLAIM}
 * @param maxBytes payload bytes at most; the first row is claimed whatever its size
 * @param workerId who claims
 * @param token the fence: random, new for each claim call
 * @param excluded destinations to leave out: held, unroutable, or at their cap of sends
 * @param only the one destination to claim from; null for all that are not excluded
 * @param deduplicating destinations whose rows are sent without a mark
 */
public record ClaimRequest(
        int limit,
        long maxBytes,
        String workerId,
        UUID token,
        Set<String> excluded,
        String only,
        Set<String> deduplicating) {
    /** @throws InvalidRecordException if a value is outside its limits */
    public ClaimRequest {
        EntryRules.limit(limit);
        EntryRules.text("workerId", workerId, OutboxWriter.MAX_WORKER_ID);
        EntryRules.present("token", token);
        excluded = Set.copyOf(excluded);
        deduplicating = Set.copyOf(deduplicating);
    }

    /** From all destinations that are not excluded. */
    public ClaimRequest(
            int limit, long maxBytes, String workerId, UUID token, Set<String> excluded, Set<String> deduplicating) {
        this(limit, maxBytes, workerId, token, excluded, null, deduplicating);
    }

    /** Without a bound in bytes, every row to be marked before it is sent. */
    public ClaimRequest(int limit, String workerId, UUID token, Set<String> excluded) {
        this(limit, Long.MAX_VALUE, workerId, token, excluded, Set.of());
    }

    /** The same of one destination, with another limit. */
    public ClaimRequest of(String destination, int rows) {
        return new ClaimRequest(rows, maxBytes, workerId, token, Set.of(), destination, deduplicating);
    }
}
