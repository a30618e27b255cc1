package io.turnframe.outbox.store;

import java.time.Instant;

/**
 * A reconciler's answer that settled an entry.
 *
 * @param attempt the attempt it is about
 * @param question the how manieth question about it this was
 * @param code the stable code, or null
 * @param remoteRef the remote's reference, or null
 */
public record PastAnswer(
        int attempt,
        int question,
        String workerId,
        Instant askedAt,
        Instant answeredAt,
        String answer,
        String code,
        String remoteRef) {}
