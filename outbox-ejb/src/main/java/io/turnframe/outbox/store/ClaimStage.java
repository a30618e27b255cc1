package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.persistence.SkipLockedClause;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.Query;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Promote and claim: delayed rows that have come due become ready, ready rows {@code PENDING → DISPATCHING}. Rows are
 * locked as scalar columns and changed by one bulk statement; no entity is managed.
 *
 * <p>A row is ready while {@code nextAttemptAt} is absent or {@code promotedAt} is not before it, and delayed otherwise;
 * each kind has its index, so that neither stands in the way of the other.
 */
final class ClaimStage {
    /** Guards against a row that another program put off after its promotion. */
    private static final String DUE = " and (o.nextAttemptAt is null or o.nextAttemptAt <= :now)";

    private static final String NOT_EXCLUDED = " and o.destination not in :excluded";

    private static final String IN_ORDER = " order by o.createdAt, o.outboxId";

    private static final String COLUMNS = """
            select o.outboxId, o.commandId, o.destination, o.payload, o.idempotencyKey, o.attemptCount,
                   o.nextAttemptAt, o.createdAt, o.attemptsForgiven, o.abandonedCount
            from OutboxRow o where\s""";

    private static final String CANDIDATES = "select o.outboxId from OutboxRow o where ";

    private static final String BY_ID = " and o.outboxId in :ids";

    private static final String CLAIM = """
            update OutboxRow o
            set o.status = io.turnframe.outbox.OutboxStatus.DISPATCHING, o.attemptCount = o.attemptCount + 1,
                o.claimWorkerId = :workerId, o.claimTakenAt = :now, o.claimToken = :token, o.sendStartedAt = null
            where o.outboxId in :ids and o.status = io.turnframe.outbox.OutboxStatus.PENDING""";

    private static final String COME_DUE = " and o.nextAttemptAt <= :now";

    private static final String BY_DUE_TIME = " order by o.nextAttemptAt";

    private static final String PROMOTE = "update OutboxRow o set o.promotedAt = :now where o.outboxId in :ids";

    /** How many more ids than wanted are read where reading does not lock, so that rows locked elsewhere are made up for. */
    private static final int OVERFETCH = 4;

    private final EntityManager em;
    private final Database database;
    private final String ready;
    private final String delayed;

    ClaimStage(EntityManager em, Database database) {
        this.em = em;
        this.database = database;
        this.ready = database.queue().ready() + DUE;
        this.delayed = CANDIDATES + database.queue().delayed() + COME_DUE;
    }

    /** Makes up to {@code limit} delayed rows ready; answers how many. */
    int promote(Instant now, int limit) {
        String select = database.locksInOrder() ? delayed + BY_DUE_TIME : delayed;
        List<UUID> ids = skippingLocked(em.createQuery(select, UUID.class))
                .setParameter("now", now)
                .setMaxResults(limit)
                .getResultList();
        if (!ids.isEmpty()) {
            em.createQuery(PROMOTE)
                    .setParameter("now", now)
                    .setParameter("ids", ids)
                    .executeUpdate();
        }
        return ids.size();
    }

    /** Claims up to {@code limit} ready rows, oldest first. */
    List<ClaimedEntry> claim(Instant now, int limit, String workerId, UUID token, Set<String> excluded) {
        List<Row> rows = database.locksInOrder() ? lock(now, limit, excluded) : lockById(now, limit, excluded);
        if (rows.isEmpty()) {
            return List.of();
        }
        int claimed = em.createQuery(CLAIM)
                .setParameter("workerId", workerId)
                .setParameter("now", now)
                .setParameter("token", token)
                .setParameter("ids", rows.stream().map(Row::id).toList())
                .executeUpdate();
        if (claimed != rows.size()) {
            throw new IllegalStateException("locked " + rows.size() + " rows but claimed " + claimed);
        }
        return rows.stream().map(Row::claimed).toList();
    }

    /** One statement: ORDER BY, LIMIT, FOR UPDATE SKIP LOCKED. */
    private List<Row> lock(Instant now, int limit, Set<String> excluded) {
        String where = excluded.isEmpty() ? ready : ready + NOT_EXCLUDED;
        TypedQuery<Object[]> query = em.createQuery(COLUMNS + where + IN_ORDER, Object[].class);
        return rows(skippingLocked(ready(query, now, excluded)).setMaxResults(limit));
    }

    /**
     * Where an ordered lock would lock every row that matches: the ids are read in order and unlocked, then locked by id,
     * so many at a time as are still missing.
     */
    private List<Row> lockById(Instant now, int limit, Set<String> excluded) {
        String where = excluded.isEmpty() ? ready : ready + NOT_EXCLUDED;
        List<Row> locked = new ArrayList<>();
        int page = limit * OVERFETCH;
        for (int first = 0; locked.size() < limit; first += page) {
            TypedQuery<UUID> query = em.createQuery(CANDIDATES + where + IN_ORDER, UUID.class);
            ready(query, now, excluded);
            List<UUID> candidates =
                    query.setFirstResult(first).setMaxResults(page).getResultList();
            for (int at = 0; at < candidates.size() && locked.size() < limit; ) {
                int next = Math.min(candidates.size(), at + limit - locked.size());
                TypedQuery<Object[]> byId = em.createQuery(COLUMNS + ready + BY_ID, Object[].class)
                        .setParameter("now", now)
                        .setParameter("ids", candidates.subList(at, next));
                locked.addAll(rows(skippingLocked(byId)));
                at = next;
            }
            if (candidates.size() < page) {
                break;
            }
        }
        locked.sort(Row.ORDER);
        return locked;
    }

    private static <T extends Query> T ready(T query, Instant now, Collection<String> excluded) {
        query.setParameter("now", now);
        if (!excluded.isEmpty()) {
            query.setParameter("excluded", excluded);
        }
        return query;
    }

    static <T> TypedQuery<T> skippingLocked(TypedQuery<T> query) {
        return query.setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .setHint("jakarta.persistence.lock.timeout", SkipLockedClause.LOCK_TIMEOUT);
    }

    private static List<Row> rows(TypedQuery<Object[]> query) {
        return query.getResultStream().map(Row::of).toList();
    }

    /** The columns of a claim. */
    private record Row(OutboxEntry entry, int forgiven, int abandoned) {
        static final Comparator<Row> ORDER =
                Comparator.comparing((Row row) -> row.entry.createdAt()).thenComparing(Row::id, Ids.ORDER);

        static Row of(Object[] columns) {
            OutboxEntry entry = OutboxEntry.builder()
                    .outboxId((UUID) columns[0])
                    .commandId((UUID) columns[1])
                    .destination((String) columns[2])
                    .payload((String) columns[3])
                    .idempotencyKey((String) columns[4])
                    .status(OutboxStatus.DISPATCHING)
                    .attemptCount((Integer) columns[5] + 1)
                    .nextAttemptAt((Instant) columns[6])
                    .createdAt((Instant) columns[7])
                    .build();
            return new Row(entry, (Integer) columns[8], (Integer) columns[9]);
        }

        UUID id() {
            return entry.outboxId();
        }

        ClaimedEntry claimed() {
            return new ClaimedEntry(entry, entry.attemptCount() - forgiven, abandoned);
        }
    }
}
