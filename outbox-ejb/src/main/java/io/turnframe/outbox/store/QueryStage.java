package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxNotFoundException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TypedQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The questions of operators, as constructor expressions over columns: no managed entity, no payload, no lock. */
final class QueryStage {
    private static final String SUMMARY = """
            select new io.turnframe.outbox.store.OutboxSummary(o.outboxId, o.commandId, o.destination,
                o.idempotencyKey, o.status, o.attemptCount, o.nextAttemptAt, o.createdAt, o.completedAt,
                o.claimWorkerId, o.claimTakenAt, o.lastFailure, o.remoteRef)
            from OutboxRow o
            """;

    /** The order of an index that is of no use to a claim, whose order is neither this nor the reverse. */
    private static final String NEWEST_FIRST = " order by o.createdAt desc, o.outboxId";

    private static final String OLDEST_FIRST = " order by o.createdAt, o.outboxId";

    /** The first half is implied by the second; it gives the database a range to scan. */
    private static final String BEHIND =
            "o.createdAt <= :createdAt and (o.createdAt < :createdAt or o.outboxId > :outboxId)";

    private final EntityManager em;

    QueryStage(EntityManager em) {
        this.em = em;
    }

    OutboxPage page(OutboxFilter filter, OutboxPosition after, int limit) {
        limit(limit);
        List<String> conditions = new ArrayList<>();
        Map<String, Object> parameters = new LinkedHashMap<>();
        if (filter.status() != null) {
            // In the text, so that a partial index can be used.
            conditions.add("o.status = sql('''%s''')".formatted(filter.status().label()));
        }
        if (filter.destination() != null) {
            conditions.add("o.destination = :destination");
            parameters.put("destination", filter.destination());
        }
        if (filter.commandId() != null) {
            conditions.add("o.commandId = :commandId");
            parameters.put("commandId", filter.commandId());
        }
        if (after != null) {
            conditions.add(BEHIND);
            parameters.put("createdAt", after.createdAt());
            parameters.put("outboxId", after.outboxId());
        }
        String where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
        // One more than asked tells whether there is a next page.
        TypedQuery<OutboxSummary> query = em.createQuery(SUMMARY + where + NEWEST_FIRST, OutboxSummary.class);
        parameters.forEach(query::setParameter);
        List<OutboxSummary> found = query.setMaxResults(limit + 1).getResultList();
        return found.size() <= limit
                ? new OutboxPage(found, null)
                : new OutboxPage(found.subList(0, limit), found.get(limit - 1).position());
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
