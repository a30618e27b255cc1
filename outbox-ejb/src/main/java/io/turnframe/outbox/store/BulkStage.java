package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One step of a bulk act: the next ids are read unlocked, locked by nothing but their ids, and changed if they still pass the
 * whole filter: what became of an entry in between, an erasure for one, must not be undone or sent.
 */
final class BulkStage {
    private static final String COUNT = "select count(o) from OutboxRow o";

    private static final String NEXT = "select o.outboxId, o.createdAt from OutboxRow o";

    private static final String PASSING = "select o.outboxId from OutboxRow o";

    private static final String OF_THESE = " where o.outboxId in :ids and o.status = io.turnframe.outbox.OutboxStatus.";

    private static final String FAIL = "update OutboxRow o set o.status = io.turnframe.outbox.OutboxStatus.FAILED,"
            + " o.completedAt = :now, o.lastFailure = :reason, " + ReconcileStage.FORGET + OF_THESE + "OUTCOME_UNKNOWN";

    private static final String RESCHEDULE = "update OutboxRow o set o.nextAttemptAt = :at, o.promotedAt = null,"
            + " o.claimToken = null" + OF_THESE + "PENDING";

    private static final String RECONCILE =
            "update OutboxRow o set o.reconcileAt = null" + OF_THESE + "OUTCOME_UNKNOWN";

    private final EntityManager em;
    private final QueryStage query;
    private final AuditStage audit;
    private final int step;

    BulkStage(EntityManager em, QueryStage query, AuditStage audit, int step) {
        this.em = em;
        this.query = query;
        this.audit = audit;
        this.step = step;
    }

    BulkPlan plan(BulkAct bulk) {
        FilterClause where = where(bulk);
        long count =
                where.bind(em.createQuery(COUNT + where.text(), Long.class)).getSingleResult();
        return new BulkPlan(count, query.first(where, OutboxBulk.SAMPLE));
    }

    BulkStep step(BulkAct bulk, OutboxPosition after, String bulkId, Act act, Instant now) {
        FilterClause where = where(bulk).behind(after);
        List<Object[]> next = where.bind(em.createQuery(NEXT + where.newestFirst(), Object[].class))
                .setMaxResults(step)
                .getResultList();
        List<UUID> ids = next.stream().map(row -> (UUID) row[0]).toList();
        List<LockedEntry> locked = stillPassing(
                bulk,
                LockById.rows(em, OperateStage.ENTRY, ids).map(LockedEntry::of).toList());
        if (!locked.isEmpty()) {
            change(bulk, now)
                    .setParameter(
                            "ids", locked.stream().map(LockedEntry::outboxId).toList())
                    .executeUpdate();
            String detail = "bulk=" + bulkId + (bulk.detail() == null ? "" : " " + bulk.detail());
            OutboxStatus to = bulk.kind().to();
            audit.write(locked.stream()
                    .map(entry -> AuditStage.of(bulk.kind().audited(), act, now, entry, to, detail))
                    .toList());
        }
        Object[] last = next.size() < step ? null : next.get(step - 1);
        return new BulkStep(
                locked.size(),
                ids.size() - locked.size(),
                last == null ? null : OutboxPosition.of((Instant) last[1], (UUID) last[0]));
    }

    /** Those of the locked entries that pass the filter as they are now, and are not being asked about if that is to be done. */
    private List<LockedEntry> stillPassing(BulkAct bulk, List<LockedEntry> locked) {
        if (locked.isEmpty()) {
            return locked;
        }
        FilterClause where =
                where(bulk).among(locked.stream().map(LockedEntry::outboxId).toList());
        if (bulk.kind() == BulkAct.Kind.RECONCILE) {
            where.notAsked();
        }
        Set<UUID> passing = where.bind(em.createQuery(PASSING + where.text(), UUID.class))
                .getResultStream()
                .collect(Collectors.toSet());
        return locked.stream()
                .filter(entry -> passing.contains(entry.outboxId()))
                .toList();
    }

    private FilterClause where(BulkAct bulk) {
        FilterClause where = query.where(bulk.filter());
        return bulk.kind() == BulkAct.Kind.RESUBMIT ? where.notErased() : where;
    }

    private Query change(BulkAct bulk, Instant now) {
        return switch (bulk.kind()) {
            case RESCHEDULE -> em.createQuery(RESCHEDULE).setParameter("at", bulk.nextAttemptAt());
            case RESUBMIT -> em.createQuery(OperateStage.RESUBMIT);
            case FAIL -> em.createQuery(FAIL).setParameter("now", now).setParameter("reason", bulk.code());
            case RECONCILE -> em.createQuery(RECONCILE);
        };
    }
}
