package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What operators do to one entry. Each act locks the row first, so that nothing changes between what is looked at, what is
 * done and what is put on record. A repeat that finds its work done changes nothing and is not put on record.
 */
final class OperateStage {
    /** What stands in the place of an erased payload. */
    static final String ERASED = "{\"erased\":true}";

    /** With a column that no index has: see {@link LockById}. */
    static final String ENTRY =
            "select o.outboxId, o.status, o.destination, o.attemptCount, o.attemptsForgiven from OutboxRow o";

    static final String RESUBMIT = """
            update OutboxRow o
            set o.status = io.turnframe.outbox.OutboxStatus.PENDING, o.completedAt = null, o.nextAttemptAt = null,
                o.promotedAt = null, o.claimToken = null, o.attemptsForgiven = o.attemptCount
            where o.outboxId in :ids and o.status = io.turnframe.outbox.OutboxStatus.FAILED""";

    private static final String RESEND = """
            update OutboxRow o
            set o.status = io.turnframe.outbox.OutboxStatus.PENDING, o.nextAttemptAt = null, o.promotedAt = null,
                o.claimToken = null, %s
            where o.outboxId = :id and o.status = io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN""".formatted(ReconcileStage.FORGET);

    /** The text stands in the statement, which fits a payload that is text and one that is jsonb. */
    private static final String ERASE = "UPDATE tf_outbox SET payload = '" + ERASED + "' WHERE outbox_id = ?1";

    private final EntityManager em;
    private final Database database;
    private final VerdictStage verdict;
    private final AuditStage audit;
    private final EntryLock lock;

    OperateStage(EntityManager em, Database database, VerdictStage verdict, StoryStage story, AuditStage audit) {
        this.em = em;
        this.database = database;
        this.verdict = verdict;
        this.audit = audit;
        this.lock = new EntryLock(em, database, story);
    }

    /** Locks the row and refuses an act on a version that is no longer the present one. */
    LockedEntry lock(UUID id, Act act) {
        return lock.lock(id, act);
    }

    void complete(UUID id, Act act, Instant now) {
        LockedEntry entry = lock(id, act);
        verdict.complete(id, now);
        recordUnlessRepeat(AuditedAct.COMPLETE, act, now, entry, OutboxStatus.COMPLETED, null);
    }

    void fail(UUID id, String code, Act act, Instant now) {
        LockedEntry entry = lock(id, act);
        verdict.fail(id, code, now);
        recordUnlessRepeat(AuditedAct.FAIL, act, now, entry, OutboxStatus.FAILED, "code=" + code);
    }

    private void recordUnlessRepeat(
            AuditedAct what, Act act, Instant now, LockedEntry entry, OutboxStatus toStatus, String detail) {
        if (entry.status() != toStatus) {
            audit.write(AuditStage.of(what, act, now, entry, toStatus, detail));
        }
    }

    void reschedule(UUID id, Instant at, Act act, Instant now) {
        LockedEntry entry = lock(id, act);
        requireStatus(entry, OutboxStatus.PENDING, "rescheduled");
        verdict.reschedule(id, at);
        audit.write(
                AuditStage.of(AuditedAct.RESCHEDULE, act, now, entry, OutboxStatus.PENDING, "next_attempt_at=" + at));
    }

    void resubmit(UUID id, Act act, Instant now) {
        LockedEntry entry = lock(id, act);
        requireStatus(entry, OutboxStatus.FAILED, "resubmitted");
        if (audit.isErased(id)) {
            throw new OutboxException(
                    OutboxOperations.PAYLOAD_ERASED,
                    "the payload of entry " + id + " was erased, so there is nothing to send; enqueue a new entry",
                    id);
        }
        em.createQuery(RESUBMIT).setParameter("ids", List.of(id)).executeUpdate();
        audit.write(AuditStage.of(AuditedAct.RESUBMIT, act, now, entry, OutboxStatus.PENDING, null));
    }

    /** @param secondPerson whether two operators are needed */
    Authorisation authoriseResend(UUID id, Act act, boolean secondPerson, Instant now) {
        EntryRules.present("note", act.note());
        LockedEntry entry = lock(id, act);
        requireStatus(entry, OutboxStatus.OUTCOME_UNKNOWN, "authorised to be sent again");
        Optional<AuditRecord> request = secondPerson ? audit.resendRequest(entry) : Optional.empty();
        if (secondPerson && request.isEmpty()) {
            audit.write(AuditStage.of(AuditedAct.REQUEST_RESEND, act, now, entry, entry.status(), null));
        }
        String requestedBy = request.map(AuditRecord::actor).orElse(secondPerson ? act.by() : null);
        if (act.by().equals(requestedBy)) {
            return new Authorisation(false, requestedBy);
        }
        database.bounded(em.createQuery(RESEND)).setParameter("id", id).executeUpdate();
        String detail = requestedBy == null ? null : "requested_by=" + requestedBy;
        audit.write(AuditStage.of(AuditedAct.AUTHORISE_RESEND, act, now, entry, OutboxStatus.PENDING, detail));
        return new Authorisation(true, requestedBy);
    }

    void erasePayload(UUID id, Act act, Instant now) {
        LockedEntry entry = lock(id, act);
        if (!entry.status().isTerminal()) {
            throw refused(entry, "lose its payload, which may still have to be sent");
        }
        if (!audit.isErased(id)) {
            em.createNativeQuery(ERASE).setParameter(1, id).executeUpdate();
            audit.write(AuditStage.of(AuditedAct.ERASE_PAYLOAD, act, now, entry, entry.status(), null));
        }
    }

    /** Puts on record what a release by hand did. */
    void released(Released released, Act act, Instant now) {
        List<AuditRecord> records = new ArrayList<>();
        records.addAll(released(released.pending(), OutboxStatus.PENDING, act, now));
        records.addAll(released(released.unknown(), OutboxStatus.OUTCOME_UNKNOWN, act, now));
        audit.write(records);
    }

    private List<AuditRecord> released(List<UUID> ids, OutboxStatus toStatus, Act act, Instant now) {
        Map<UUID, LockedEntry> entries = new HashMap<>();
        LockById.rows(em, ENTRY, ids).map(LockedEntry::of).forEach(entry -> entries.put(entry.outboxId(), entry));
        return ids.stream()
                .map(entries::get)
                .map(e -> new LockedEntry(e.outboxId(), OutboxStatus.DISPATCHING, e.destination(), e.attemptCount()))
                .map(entry -> AuditStage.of(AuditedAct.RELEASE, act, now, entry, toStatus, null))
                .toList();
    }

    private static void requireStatus(LockedEntry entry, OutboxStatus needed, String verb) {
        if (entry.status() != needed) {
            throw refused(entry, "be " + verb + "; only one that is " + needed.label() + " can");
        }
    }

    private static OutboxConflictException refused(LockedEntry entry, String what) {
        return new OutboxConflictException(
                "entry " + entry.outboxId() + " is " + entry.status().label() + " and cannot " + what,
                entry.outboxId());
    }
}
