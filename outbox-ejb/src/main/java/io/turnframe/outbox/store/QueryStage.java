package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The questions of operators, as constructor expressions over columns: no managed entity, no payload, no lock. */
final class QueryStage {
    private static final String SUMMARY = """
            select new io.turnframe.outbox.store.OutboxSummary(o.outboxId, o.commandId, o.destination,
                o.idempotencyKey, o.status, o.attemptCount, o.nextAttemptAt, o.createdAt, o.completedAt,
                o.claimWorkerId, o.claimTakenAt, o.lastFailure, o.remoteRef, o.unknownSince, o.unknownAttempt)
            from OutboxRow o
            """;

    private static final String OLDEST_FIRST = " order by o.createdAt, o.outboxId";

    private static final String POSITION = "select o.createdAt, o.outboxId from OutboxRow o";

    /** So many entries one page looks at, at most. */
    static final int WINDOW = 5_000;

    /** The statuses that few entries are in. */
    private static final Set<OutboxStatus> RARE = Collections.unmodifiableSet(
            EnumSet.of(OutboxStatus.DISPATCHING, OutboxStatus.FAILED, OutboxStatus.OUTCOME_UNKNOWN));

    private final EntityManager em;
    private final Database database;
    private final int window;

    QueryStage(EntityManager em, Database database) {
        this(em, database, WINDOW);
    }

    QueryStage(EntityManager em, Database database, int window) {
        this.em = em;
        this.database = database;
        this.window = window;
    }

    /**
     * A page looks at a window of entries at most, in the order of an index, so that it takes no longer where few of many
     * pass. If the window has fewer than are asked for, the page ends with it, and the next goes on there.
     */
    OutboxPage page(OutboxFilter filter, OutboxPosition after, int limit) {
        limit(limit);
        OutboxPosition last = needsWindow(filter) ? endOfWindow(filter, after) : null;
        FilterClause where = where(filter).behind(after).upTo(last);
        // One more than asked tells whether there is a next page.
        List<OutboxSummary> found = where.bind(em.createQuery(SUMMARY + where.newestFirst(), OutboxSummary.class))
                .setMaxResults(limit + 1)
                .getResultList();
        return found.size() <= limit
                ? new OutboxPage(found, last)
                : new OutboxPage(found.subList(0, limit), found.get(limit - 1).position());
    }

    /** The whole filter. */
    FilterClause where(OutboxFilter filter) {
        return new FilterClause(database).status(filter).created(filter).others(filter);
    }

    /** The newest that pass, without windows. */
    List<OutboxSummary> first(FilterClause where, int limit) {
        return where.bind(em.createQuery(SUMMARY + where.newestFirst(), OutboxSummary.class))
                .setMaxResults(limit)
                .getResultList();
    }

    /** Not where an index leads to the few entries that may pass. */
    private boolean needsWindow(OutboxFilter filter) {
        boolean byIndex = filter.commandId() != null
                || filter.destination() != null && filter.idempotencyKey() != null
                || filter.status() == OutboxStatus.DISPATCHING;
        OutboxFilter inOrder = OutboxFilter.ALL
                .withCreated(filter.created())
                .withStatus(RARE.contains(filter.status()) ? filter.status() : null);
        return !byIndex && !filter.equals(inOrder);
    }

    /** The last position that the page looks at, or null if it looks at all that is left. */
    private OutboxPosition endOfWindow(OutboxFilter filter, OutboxPosition after) {
        FilterClause where = new FilterClause(database).created(filter).behind(after);
        if (RARE.contains(filter.status())) {
            where.status(filter);
        }
        return where.bind(em.createQuery(POSITION + where.newestFirst(), Object[].class))
                .setFirstResult(window - 1)
                .setMaxResults(1)
                .getResultStream()
                .findFirst()
                .map(row -> OutboxPosition.of((Instant) row[0], (UUID) row[1]))
                .orElse(null);
    }

    /** Accepts the limit of a page. */
    static int limit(int limit) {
        if (limit < 1 || limit > OutboxQueries.MAX_LIMIT) {
            throw new InvalidRecordException("limit " + limit + " is outside 1 to " + OutboxQueries.MAX_LIMIT);
        }
        return limit;
    }

    OutboxSummary get(UUID outboxId) {
        return em.createQuery(SUMMARY + " where o.outboxId = :outboxId", OutboxSummary.class)
                .setParameter("outboxId", outboxId)
                .getResultStream()
                .findFirst()
                .orElseThrow(() -> new OutboxNotFoundException(outboxId));
    }

    List<OutboxSummary> listForCommand(UUID commandId) {
        return em.createQuery(SUMMARY + " where o.commandId = :commandId" + OLDEST_FIRST, OutboxSummary.class)
                .setParameter("commandId", commandId)
                .getResultList();
    }
}
