package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import jakarta.ejb.Local;
import java.util.List;
import java.util.UUID;

/**
 * What operators ask: pages, one record, counts. It never reads a payload and never locks a row; it sees what is
 * committed.
 *
 * <p>Every call throws {@link OutboxException} with code {@link OutboxException#STORE_UNAVAILABLE} if the database does
 * not answer.
 */
@Local
public interface OutboxQueries {
    /** The largest page. */
    int MAX_LIMIT = 500;

    /**
     * The entries that pass {@code filter}, newest first by {@code createdAt}, those of one instant by {@code outboxId}. Neither ever
     * changes, so walking from position to position shows every row that stays in the filter once, however rows move
     * meanwhile; rows enqueued during the walk may be missed. One page looks at {@value QueryStage#WINDOW} entries at most, so
     * it may show fewer than {@code limit}, or none, and still have a next one.
     *
     * @param after where the page before ended, or null for the first page
     * @param limit at most so many, 1 to {@value #MAX_LIMIT}
     * @throws InvalidRecordException if the limit is outside its range
     */
    OutboxPage page(OutboxFilter filter, OutboxPosition after, int limit);

    /**
     * One entry.
     *
     * @throws OutboxNotFoundException if there is none
     */
    OutboxSummary get(UUID outboxId);

    /**
     * One entry with all that happened to it.
     *
     * @throws OutboxNotFoundException if there is none
     */
    RecordStory story(UUID outboxId);

    /**
     * What operators did, newest first. Nothing is ever taken out of it.
     *
     * @param after where the page before ended, or null for the first page
     * @param limit at most so many, 1 to {@value #MAX_LIMIT}
     * @throws InvalidRecordException if the limit is outside its range
     */
    AuditPage audit(OutboxPosition after, int limit);

    /** Every entry of one command, ordered by {@code createdAt}, then {@code outboxId}; empty if there is none. */
    List<OutboxSummary> listForCommand(UUID commandId);

    /**
     * The backlog by the database's clock. Counting takes longer the more entries there are, so a node keeps what it
     * counted for a second, or nine times as long as counting took; {@link OutboxStats#asOf()} tells when that was.
     */
    OutboxStats stats();
}
