package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxPurge;
import java.time.Duration;

/** One purge: many short transactions, until nothing is left that is old enough, or it is told to stop. */
final class PurgeRun implements Stoppable {
    private final OutboxPurge store;
    private final PurgeConfig config;
    private volatile boolean stopping;

    PurgeRun(OutboxPurge store, PurgeConfig config) {
        this.store = store;
        this.config = config;
    }

    /** Ends it after the transaction that is going; what was removed stays removed. */
    @Override
    public void stop() {
        stopping = true;
    }

    PurgeReport run() {
        return new PurgeReport(
                remove(OutboxStatus.COMPLETED, config.completedAfter()),
                remove(OutboxStatus.FAILED, config.failedAfter()));
    }

    private long remove(OutboxStatus status, Duration after) {
        long removed = 0;
        for (int rows = 1; after != null && rows > 0 && !stopping; removed += rows) {
            rows = store.purge(status, after, config.batchSize());
        }
        return removed;
    }
}
