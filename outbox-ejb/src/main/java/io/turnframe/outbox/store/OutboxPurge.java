package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.ejb.Local;
import java.time.Duration;

/**
 * Retention: removes entries that have ended. Their age counts from {@code completedAt} by the database's clock. With an
 * entry goes its key: the same destination and key may be enqueued again.
 *
 * <p>Every call throws {@link OutboxException} with code {@link OutboxException#STORE_UNAVAILABLE} if the database does
 * not answer, and {@link InvalidRecordException} for a status in which entries do not end.
 */
@Local
public interface OutboxPurge {
    /** The most rows of one call. */
    int MAX_LIMIT = 10_000;

    /** Whether there is an entry to remove. Reads one row of an index. */
    boolean isDue(OutboxStatus status, Duration olderThan);

    /**
     * {@code COMPLETED | FAILED → } removed, in a transaction of its own. Rows locked elsewhere are skipped, and no row
     * that can be claimed is touched.
     *
     * @param limit rows at most, 1 to {@value #MAX_LIMIT}: what is locked at a time
     * @return how many were removed; none: there are no more, or another has those that are next
     */
    int purge(OutboxStatus status, Duration olderThan, int limit);
}
