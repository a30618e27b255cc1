package io.turnframe.outbox.batch.metrics;

/** The backlog over JMX, over all destinations; counted when it is asked for, at most once a second. */
public interface OutboxMXBean {
    /** Pending entries that a claim could take. */
    long getDueEntries();

    /** Whole seconds since the entry that has waited longest came due; 0 if none is due. */
    long getOldestDueAgeSeconds();

    long getPendingEntries();

    long getDispatchingEntries();

    long getOutcomeUnknownEntries();

    long getFailedEntries();

    long getCompletedEntries();
}
