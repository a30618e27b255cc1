package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;

/**
 * An entry that a claim has just taken.
 *
 * @param entry as it is now: dispatching, the attempt counted
 * @param budgetUsed the attempts that count against its budget, this one included; at least 1
 * @param abandonedCount claims of it that were abandoned after their send may have started
 */
public record ClaimedEntry(OutboxEntry entry, int budgetUsed, int abandonedCount) {}
