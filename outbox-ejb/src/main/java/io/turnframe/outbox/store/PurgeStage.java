package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Purge: {@code COMPLETED | FAILED → } removed. Rows locked elsewhere are skipped: one in doubt after a prepare may stay
 * locked for minutes.
 */
final class PurgeStage {
    /** The status stands in the text, so that a kept plan can use the partial index. */
    private static final String ENDED =
            "select o.outboxId from OutboxRow o where o.status = sql('''%s''') and o.completedAt < :before";

    private static final String OLDEST_FIRST = " order by o.completedAt";

    private static final String BY_ID = "select o.outboxId, o.status, o.completedAt, o.attemptCount from OutboxRow o";

    private static final String REMOVE = "delete from OutboxRow o where o.outboxId in :ids";

    private final EntityManager em;
    private final Database database;

    PurgeStage(EntityManager em, Database database) {
        this.em = em;
        this.database = database;
    }

    /** Whether a row of this status ended before then. */
    boolean isDue(OutboxStatus status, Instant before) {
        return !candidates(status, before).setMaxResults(1).getResultList().isEmpty();
    }

    /** Removes up to {@code limit} rows of this status that ended before then; answers how many. */
    int purge(OutboxStatus status, Instant before, int limit) {
        List<UUID> ids = database.locksRangesExactly()
                ? ClaimStage.skippingLocked(candidates(status, before))
                        .setMaxResults(limit)
                        .getResultList()
                : lockById(status, before, limit);
        return ids.isEmpty()
                ? 0
                : em.createQuery(REMOVE).setParameter("ids", ids).executeUpdate();
    }

    private List<UUID> lockById(OutboxStatus status, Instant before, int limit) {
        return LockById.upTo(
                limit,
                () -> candidates(status, before),
                ids -> LockById.rows(em, BY_ID, ids)
                        .filter(row -> row[1] == status
                                && Instants.withinOrFirst((Instant) row[2]).isBefore(before))
                        .map(row -> (UUID) row[0])
                        .toList());
    }

    private TypedQuery<UUID> candidates(OutboxStatus status, Instant before) {
        return em.createQuery(ENDED.formatted(status.label()) + OLDEST_FIRST, UUID.class)
                .setParameter("before", before);
    }
}
