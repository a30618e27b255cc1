package io.turnframe.outbox.store;

import io.turnframe.outbox.Dispatched;
import java.time.Duration;
import java.util.UUID;

/**
 * One attempt to send a row, for the journal. Its instants are given as ages, so that the database's clock is the only one
 * in the journal.
 *
 * @param outboxId the row
 * @param number which attempt of the row: its attemptCount then
 * @param workerId who sent
 * @param startedAgo how long ago the send started
 * @param endedAgo how long ago it ended, or was given up
 * @param outcome what the sender answered; unknown if nothing in time
 * @param code the stable code, or null
 * @param remoteRef the remote's reference, or null
 * @param late whether the answer came after the attempt had been settled as unknown
 */
public record Attempt(
        UUID outboxId,
        int number,
        String workerId,
        Duration startedAgo,
        Duration endedAgo,
        Dispatched.Kind outcome,
        String code,
        String remoteRef,
        boolean late) {}
