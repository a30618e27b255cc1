package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.time.Instant;
import java.util.UUID;

/**
 * The settlements by id alone, for reconcilers and operators. Each is a compare-and-set on the statuses it may start
 * from; a row it did not change is looked at, and the call is accepted as a repeat, or refused. A row that another
 * transaction holds is waited for, but not for ever.
 */
final class VerdictStage {
    private static final String FREE = "o.claimWorkerId = null, o.claimTakenAt = null, o.sendStartedAt = null";

    private static final String SENT =
            " where o.outboxId = :id and o.status in (io.turnframe.outbox.OutboxStatus.DISPATCHING,"
                    + " io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN)";

    private static final String OPEN =
            " where o.outboxId = :id and o.status in (io.turnframe.outbox.OutboxStatus.PENDING,"
                    + " io.turnframe.outbox.OutboxStatus.DISPATCHING, io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN)";

    private static final String COMPLETE =
            "update OutboxRow o set o.status = io.turnframe.outbox.OutboxStatus.COMPLETED," + " o.completedAt = :now, "
                    + FREE + ", " + ReconcileStage.FORGET + SENT;

    private static final String FAIL = "update OutboxRow o set o.status = io.turnframe.outbox.OutboxStatus.FAILED,"
            + " o.completedAt = :now, o.lastFailure = :reason, " + FREE + ", " + ReconcileStage.FORGET + SENT;

    private static final String UNKNOWN = "update OutboxRow o"
            + " set o.status = io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN, " + FREE + ", " + ReconcileStage.STAMP
            + " where o.outboxId = :id and o.status = io.turnframe.outbox.OutboxStatus.DISPATCHING";

    private static final String FILL_REFERENCE = "update OutboxRow o set o.remoteRef = :remoteRef"
            + " where o.outboxId = :id and o.status = io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN";

    private static final String REQUEUE = "update OutboxRow o set o.status = io.turnframe.outbox.OutboxStatus.PENDING,"
            + " o.nextAttemptAt = :at, o.promotedAt = null, o.claimToken = null, " + ReconcileStage.FORGET + ", ";

    private final EntityManager em;
    private final ReadStage read;
    private final Database database;

    VerdictStage(EntityManager em, ReadStage read, Database database) {
        this.em = em;
        this.read = read;
        this.database = database;
    }

    void complete(UUID id, Instant now) {
        if (changed(em.createQuery(COMPLETE).setParameter("now", now), id)) {
            return;
        }
        acceptIf(OutboxStatus.COMPLETED, id, "completed");
    }

    void fail(UUID id, String reason, Instant now) {
        if (changed(em.createQuery(FAIL).setParameter("now", now).setParameter("reason", reason), id)) {
            return;
        }
        acceptIf(OutboxStatus.FAILED, id, "failed");
    }

    void retry(UUID id, String reason, Instant at) {
        Query query = em.createQuery(REQUEUE + "o.lastFailure = :reason, " + FREE + OPEN)
                .setParameter("reason", reason)
                .setParameter("at", at);
        if (!changed(query, id)) {
            throw refused(read.status(id), id, "sent again");
        }
    }

    void reschedule(UUID id, Instant at) {
        if (!changed(em.createQuery(REQUEUE + FREE + OPEN).setParameter("at", at), id)) {
            throw refused(read.status(id), id, "rescheduled");
        }
    }

    void unknown(UUID id, String remoteRef, Instant now) {
        boolean moved = changed(em.createQuery(UNKNOWN).setParameter("now", now), id);
        if (!moved) {
            acceptIf(OutboxStatus.OUTCOME_UNKNOWN, id, "set to outcome_unknown");
        }
        if (remoteRef != null) {
            // A reference given with the transition replaces an older one; a repeat only fills in what is missing.
            String statement = moved ? FILL_REFERENCE : FILL_REFERENCE + " and o.remoteRef is null";
            changed(em.createQuery(statement).setParameter("remoteRef", remoteRef), id);
        }
    }

    private boolean changed(Query query, UUID id) {
        return database.bounded(query).setParameter("id", id).executeUpdate() == 1;
    }

    private void acceptIf(OutboxStatus settled, UUID id, String verb) {
        OutboxStatus status = read.status(id);
        if (status != settled) {
            throw refused(status, id, verb);
        }
    }

    private static OutboxConflictException refused(OutboxStatus status, UUID id, String verb) {
        return new OutboxConflictException("entry " + id + " is " + status.label() + " and cannot be " + verb, id);
    }
}
