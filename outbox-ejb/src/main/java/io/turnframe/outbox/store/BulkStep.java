package io.turnframe.outbox.store;

/**
 * What one transaction of a bulk act did.
 *
 * @param done entries it was done to
 * @param skipped entries that another transaction held or that had moved on meanwhile
 * @param next where the next step goes on; null if this was the last
 */
public record BulkStep(int done, int skipped, OutboxPosition next) {}
