package io.turnframe.outbox.store;

/** Fired once in a transaction that enqueues; observe it after success to wake a dispatcher. */
public final class EntriesEnqueued {
    EntriesEnqueued() {}
}
