package io.turnframe.outbox.store;

import java.time.Instant;

/**
 * An attempt to send an entry, as the journal keeps it.
 *
 * @param attempt which attempt of the entry
 * @param late whether the answer came after the attempt had been settled as unknown
 * @param outcome what the sender answered; {@code unknown} if nothing in time
 * @param code the stable code, or null
 * @param remoteRef the remote's reference, or null
 */
public record PastAttempt(
        int attempt,
        boolean late,
        String workerId,
        Instant startedAt,
        Instant endedAt,
        String outcome,
        String code,
        String remoteRef) {}
