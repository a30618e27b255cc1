package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Release: what an abandoned claim leaves behind. {@code DISPATCHING → PENDING}, or {@code → OUTCOME_UNKNOWN} where the
 * send may have left and may not be repeated. Rows locked elsewhere are skipped: a settlement in progress wins.
 */
final class ReleaseStage {
    /** A row whose node died this often while it may have been sending is set aside, whatever its destination allows. */
    static final int MAX_ABANDONED = 3;

    private static final String COLUMNS = """
            select o.outboxId, o.sendStartedAt, o.sendsUnmarked, o.destination, o.abandonedCount, o.status, o.claimTakenAt
            from OutboxRow o""";

    /** The status stands in the text, so that a kept plan can use the partial index. */
    private static final String ABANDONED =
            " where o.status = sql('''dispatching''') and o.claimTakenAt < :claimedBefore";

    private static final String OLDEST_FIRST = " order by o.claimTakenAt";

    private static final String CANDIDATES = "select o.outboxId from OutboxRow o" + ABANDONED + OLDEST_FIRST;

    private static final String RELEASE = """
            update OutboxRow o
            set o.status = io.turnframe.outbox.OutboxStatus.PENDING, o.nextAttemptAt = null, o.promotedAt = null,
                o.attemptsForgiven = o.attemptsForgiven + 1, o.abandonedCount = o.abandonedCount + :abandoned,
                o.claimToken = null, o.claimWorkerId = null, o.claimTakenAt = null, o.sendStartedAt = null
            where o.outboxId in :ids""";

    private static final String SET_ASIDE = """
            update OutboxRow o
            set o.status = io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN,
                o.attemptsForgiven = o.attemptsForgiven + 1, o.abandonedCount = o.abandonedCount + 1,
                o.claimToken = null, o.claimWorkerId = null, o.claimTakenAt = null, o.sendStartedAt = null,
                %s
            where o.outboxId in :ids""".formatted(ReconcileStage.STAMP);

    private final EntityManager em;
    private final Database database;

    ReleaseStage(EntityManager em, Database database) {
        this.em = em;
        this.database = database;
    }

    /**
     * Releases all of them.
     *
     * @param now the time at which an outcome becomes unknown
     */
    Released release(Instant claimedBefore, Set<String> deduplicating, Instant now) {
        Released all = Released.NONE;
        Released some;
        do {
            some = release(claimedBefore, deduplicating, now, DispatchStore.MAX_RELEASE);
            all = all.plus(some);
        } while (some.size() == DispatchStore.MAX_RELEASE);
        return all;
    }

    /** Releases up to {@code limit} of them, the oldest first. */
    Released release(Instant claimedBefore, Set<String> deduplicating, Instant now, int limit) {
        List<Object[]> rows = database.locksRangesExactly()
                ? lock(claimedBefore, limit)
                : LockById.upTo(limit, () -> candidates(claimedBefore), ids -> lockById(ids, claimedBefore));
        return release(rows, deduplicating, now);
    }

    /** Releases the claim of this row, if it is one of them. */
    Released release(Instant claimedBefore, Set<String> deduplicating, Instant now, UUID id) {
        return release(lockById(List.of(id), claimedBefore), deduplicating, now);
    }

    /** The rows whose claims are to be released, up to {@code limit}, the oldest first. */
    List<UUID> abandoned(Instant claimedBefore, int limit) {
        return candidates(claimedBefore).setMaxResults(limit).getResultList();
    }

    private Released release(List<Object[]> rows, Set<String> deduplicating, Instant now) {
        List<UUID> neverSent = new ArrayList<>();
        List<UUID> sendAgain = new ArrayList<>();
        List<UUID> setAside = new ArrayList<>();
        for (Object[] row : rows) {
            UUID id = (UUID) row[0];
            boolean marked = row[1] != null;
            boolean sendsUnmarked = (Boolean) row[2];
            boolean mayRepeat = deduplicating.contains((String) row[3]) && (Integer) row[4] + 1 < MAX_ABANDONED;
            if (!marked && !sendsUnmarked) {
                neverSent.add(id);
            } else if (!marked && mayRepeat) {
                sendAgain.add(id);
            } else {
                setAside.add(id);
            }
        }
        update(RELEASE, neverSent, "abandoned", 0);
        update(RELEASE, sendAgain, "abandoned", 1);
        update(SET_ASIDE, setAside, "now", now);
        List<UUID> pending = new ArrayList<>(neverSent);
        pending.addAll(sendAgain);
        pending.sort(Ids.ORDER);
        setAside.sort(Ids.ORDER);
        return new Released(pending, setAside);
    }

    private List<Object[]> lock(Instant claimedBefore, int limit) {
        return ClaimStage.skippingLocked(em.createQuery(COLUMNS + ABANDONED + OLDEST_FIRST, Object[].class))
                .setParameter("claimedBefore", claimedBefore)
                .setMaxResults(limit)
                .getResultList();
    }

    private TypedQuery<UUID> candidates(Instant claimedBefore) {
        return em.createQuery(CANDIDATES, UUID.class).setParameter("claimedBefore", claimedBefore);
    }

    private List<Object[]> lockById(List<UUID> ids, Instant claimedBefore) {
        return LockById.rows(em, COLUMNS, ids)
                .filter(row -> row[5] == OutboxStatus.DISPATCHING
                        && Instants.withinOrFirst((Instant) row[6]).isBefore(claimedBefore))
                .toList();
    }

    private void update(String statement, List<UUID> ids, String parameter, Object value) {
        if (!ids.isEmpty()) {
            em.createQuery(statement)
                    .setParameter("ids", ids)
                    .setParameter(parameter, value)
                    .executeUpdate();
        }
    }
}
