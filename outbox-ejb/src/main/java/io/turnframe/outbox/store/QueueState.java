package io.turnframe.outbox.store;

import java.time.Duration;

/**
 * What a timer needs to know, read in one statement.
 *
 * @param due whether a row is ready to be claimed, or delayed and come due
 * @param nextDueIn how long until the next delayed row comes due, zero or less if it is due; null if there is none
 * @param oldestClaimAge how old the oldest claim is; null if there is none
 */
public record QueueState(boolean due, Duration nextDueIn, Duration oldestClaimAge) {}
