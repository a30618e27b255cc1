package io.turnframe.outbox.store;

import jakarta.ejb.Local;

/**
 * Acts on every entry that passes a filter: newest first, step by step, each step a transaction of its own in which each of
 * its entries is put on record. Entries that are locked elsewhere are skipped, never waited for.
 */
@Local
public interface OutboxBulk {
    /** Entries of one step. */
    int STEP = 200;

    /** Entries that a plan shows. */
    int SAMPLE = 10;

    /** What it would do now; changes nothing. */
    BulkPlan plan(BulkAct bulk);

    /**
     * Does it to the next {@value #STEP} entries.
     *
     * @param after where the step before ended, or null for the first
     * @param bulkId stands in the records of its entries
     */
    BulkStep step(BulkAct bulk, OutboxPosition after, String bulkId, Act act);
}
