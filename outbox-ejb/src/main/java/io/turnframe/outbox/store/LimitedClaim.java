package io.turnframe.outbox.store;

import java.time.Duration;
import java.util.List;

/**
 * What a claim on a limited destination got.
 *
 * @param entries the claimed rows, oldest first
 * @param againIn when it pays to try again, though nothing else tells of it; null if nothing of it is ready
 */
public record LimitedClaim(List<ClaimedEntry> entries, Duration againIn) {}
