package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TypedQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** The questions of operators, as constructor expressions over columns: no managed entity, no payload, no lock. */
final class QueryStage {
    private static final String SUMMARY = """
            select new io.turnframe.outbox.store.OutboxSummary(o.outboxId, o.commandId, o.destination,
                o.idempotencyKey, o.status, o.attemptCount, o.nextAttemptAt, o.createdAt, o.completedAt,
                o.claimWorkerId, o.claimTakenAt, o.lastFailure, o.remoteRef)
            from OutboxRow o
            """;

    private static final String NEWEST_FIRST = " order by o.createdAt desc, o.outboxId desc";

    private static final String OLDEST_FIRST = " order by o.createdAt, o.outboxId";

    /** The first half is implied by the second; it gives the database a range to scan. */
    private static final String BEHIND =
            "o.createdAt <= :createdAt and (o.createdAt < :createdAt or o.outboxId < :outboxId)";

    private static final String COUNTS = """
            select new io.turnframe.outbox.store.OutboxStats$Count(o.destination, o.status, count(o))
            from OutboxRow o group by o.destination, o.status
            """;

    private static final String DUE_COUNT = """
            select count(o) from OutboxRow o
            where o.status = :pending and (o.nextAttemptAt is null or o.nextAttemptAt <= :now)
            """;

    private static final String FIRST_READY = """
            select o.createdAt from OutboxRow o
            where o.status = :pending and o.nextAttemptAt is null order by o.createdAt
            """;

    private static final String FIRST_DELAYED = """
            select o.nextAttemptAt from OutboxRow o
            where o.status = :pending and o.nextAttemptAt <= :now order by o.nextAttemptAt
            """;

    private final EntityManager em;

    QueryStage(EntityManager em) {
        this.em = em;
    }

    OutboxPage page(OutboxFilter filter, OutboxPosition after, int limit) {
        if (limit < 1 || limit > OutboxQueries.MAX_LIMIT) {
            throw new InvalidRecordException("limit " + limit + " is outside 1 to " + OutboxQueries.MAX_LIMIT);
        }
        List<String> conditions = new ArrayList<>();
        Map<String, Object> parameters = new LinkedHashMap<>();
        if (filter.status() != null) {
            conditions.add("o.status = :status");
            parameters.put("status", filter.status());
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

    OutboxStats stats(Instant now) {
        List<OutboxStats.Count> counts =
                new ArrayList<>(em.createQuery(COUNTS, OutboxStats.Count.class).getResultList());
        counts.sort(Comparator.comparing(OutboxStats.Count::destination).thenComparing(OutboxStats.Count::status));
        long dueNow = em.createQuery(DUE_COUNT, Long.class)
                .setParameter("pending", OutboxStatus.PENDING)
                .setParameter("now", now)
                .getSingleResult();
        Long age = Stream.concat(
                        first(em.createQuery(FIRST_READY, Instant.class)),
                        first(em.createQuery(FIRST_DELAYED, Instant.class).setParameter("now", now)))
                .min(Comparator.naturalOrder())
                .map(since -> Math.max(0, Duration.between(since, now).toSeconds()))
                .orElse(null);
        return new OutboxStats(now, dueNow, age, counts);
    }

    private static Stream<Instant> first(TypedQuery<Instant> query) {
        return query.setParameter("pending", OutboxStatus.PENDING).setMaxResults(1).getResultList().stream();
    }
}
