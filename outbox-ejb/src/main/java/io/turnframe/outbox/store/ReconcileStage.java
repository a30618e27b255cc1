package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import jakarta.persistence.TypedQuery;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.eclipse.persistence.config.HintValues;
import org.eclipse.persistence.config.QueryHints;

/**
 * Reconcile: {@code OUTCOME_UNKNOWN → COMPLETED | FAILED | PENDING}. A row is taken in one transaction, which puts its
 * next question off as a lease, asked about in none, and settled in another, which names the attempt and the question.
 */
final class ReconcileStage {
    /** Set by whoever makes an outcome unknown, at {@code :now}. */
    static final String STAMP = "o.unknownSince = :now, o.unknownAttempt = o.attemptCount, o.reconcileCount = 0,"
            + " o.reconcileAt = :now, o.reconcileWorkerId = null";

    /** Set by whoever takes a row out of it. */
    static final String FORGET = "o.unknownSince = null, o.unknownAttempt = null, o.reconcileCount = 0,"
            + " o.reconcileAt = null, o.reconcileWorkerId = null";

    private static final String IS_DUE = """
            SELECT 1 FROM tf_outbox
            WHERE status = 'outcome_unknown' AND destination IN (%s) AND (reconcile_at IS NULL OR reconcile_at <= %s)
            LIMIT 1""";

    /** The status stands in the text, so that a kept plan can use the partial index. */
    private static final String UNKNOWN = """
            select o.outboxId from OutboxRow o
            where o.status = sql('''outcome_unknown''') and o.destination in :destinations and o.reconcileAt""";

    /** Set to unknown by another program: nobody knows since when. Databases differ in where an order has these. */
    private static final String NEVER_ASKED = UNKNOWN + " is null";

    private static final String DUE = UNKNOWN + " <= :now order by o.reconcileAt";

    private static final String BY_ID = """
            select o.outboxId, o.status, o.attemptCount, o.unknownAttempt, o.unknownSince, o.reconcileCount,
                   o.reconcileAt, o.reconcileWorkerId, %s
            from OutboxRow o where o.outboxId in :ids""";

    private static final String ASK = """
            update OutboxRow o
            set o.reconcileCount = o.reconcileCount + 1, o.reconcileAt = :until, o.reconcileWorkerId = :workerId
            where o.outboxId in :ids""";

    private static final String ASK_FIRST = """
            update OutboxRow o
            set o.unknownSince = :now, o.unknownAttempt = o.attemptCount, o.reconcileCount = 1,
                o.reconcileAt = :until, o.reconcileWorkerId = :workerId
            where o.outboxId in :ids""";

    private static final String RECORDS = "select o from OutboxRow o where o.outboxId in :ids";

    private static final String ASKED = " where o.outboxId = :id and o.attemptCount = :attempt"
            + " and o.reconcileCount = :number and o.status = io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN";

    private static final String COMPLETE = "update OutboxRow o"
            + " set o.status = io.turnframe.outbox.OutboxStatus.COMPLETED, o.completedAt = :now, " + FORGET + ASKED;

    private static final String COMPLETE_WITH_REFERENCE = "update OutboxRow o"
            + " set o.status = io.turnframe.outbox.OutboxStatus.COMPLETED, o.completedAt = :now,"
            + " o.remoteRef = :remoteRef, " + FORGET + ASKED;

    private static final String FAIL = "update OutboxRow o"
            + " set o.status = io.turnframe.outbox.OutboxStatus.FAILED, o.completedAt = :now, o.lastFailure = :code, "
            + FORGET + ASKED;

    private static final String RESEND = "update OutboxRow o"
            + " set o.status = io.turnframe.outbox.OutboxStatus.PENDING, o.nextAttemptAt = null, o.promotedAt = null,"
            + " o.claimToken = null, " + FORGET + ASKED;

    private static final String PUT_OFF =
            "update OutboxRow o set o.reconcileAt = :at, o.reconcileWorkerId = null" + ASKED;

    private static final String OVERDUE = """
            select count(o) from OutboxRow o
            where o.status = sql('''outcome_unknown''') and o.unknownAttempt = o.attemptCount
              and o.unknownSince < :before""";

    private static final String RECORD = """
            INSERT INTO tf_outbox_reconciliation
                (outbox_id, attempt, question, worker_id, asked_at, answered_at, answer, code, remote_ref)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private final EntityManager em;
    private final DataSource dataSource;
    private final Database database;
    private final String byId;
    private final EntryLock lock;

    ReconcileStage(EntityManager em, DataSource dataSource, Database database) {
        this.em = em;
        this.dataSource = dataSource;
        this.database = database;
        this.byId = BY_ID.formatted(database.payloadBytes());
        AuditStage reading = new AuditStage(dataSource, database, written -> {});
        this.lock = new EntryLock(
                em, database, new StoryStage(new QueryStage(em, database), reading, dataSource, database));
    }

    boolean isDue(Set<String> destinations) {
        String names = "?, ".repeat(destinations.size() - 1) + "?";
        return Jdbc.call(dataSource, connection -> {
            try (PreparedStatement select = connection.prepareStatement(IS_DUE.formatted(names, database.now()))) {
                int index = 0;
                for (String destination : destinations) {
                    select.setString(++index, destination);
                }
                try (ResultSet row = select.executeQuery()) {
                    return row.next();
                }
            }
        });
    }

    // take

    List<Question> take(QuestionRequest request, Set<String> destinations, int limit, long maxBytes, Instant now) {
        Function<List<UUID>, List<Row>> lock = ids -> lock(ids).stream()
                .filter(row -> row.isDue(now))
                .sorted(Row.LONGEST_FIRST)
                .toList();
        List<Row> due = LockById.upTo(limit, () -> unknown(NEVER_ASKED, destinations), lock);
        if (due.size() < limit) {
            due.addAll(LockById.upTo(
                    limit - due.size(), () -> unknown(DUE, destinations).setParameter("now", now), lock));
        }
        return ask(fitting(due, maxBytes), request, now);
    }

    private TypedQuery<UUID> unknown(String which, Set<String> destinations) {
        return em.createQuery(which, UUID.class).setParameter("destinations", destinations);
    }

    /** The first of them, up to so many bytes of payload; those left over are unlocked when the transaction ends. */
    private static List<Row> fitting(List<Row> rows, long maxBytes) {
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            bytes += rows.get(i).bytes();
            if (i > 0 && bytes > maxBytes) {
                return rows.subList(0, i);
            }
        }
        return rows;
    }

    /**
     * Empty if the row is not unknown, being asked about by another, or locked. An operator's act is refused under the lock
     * if the row is in none of its versions.
     */
    Optional<Question> take(QuestionRequest request, UUID id, Instant now) {
        if (request.act() != null && request.act().versions() != null) {
            lock.lock(id, request.act());
        }
        List<Row> free =
                lock(List.of(id)).stream().filter(row -> !row.isAsked(now)).toList();
        return ask(free, request, now).stream().findFirst();
    }

    /** By nothing but their ids: a lock over a range takes more rows than it returns. */
    private List<Row> lock(List<UUID> ids) {
        return ClaimStage.skippingLocked(em.createQuery(byId, Object[].class))
                .setParameter("ids", ids)
                .getResultStream()
                .map(Row::of)
                .filter(row -> row.status() == OutboxStatus.OUTCOME_UNKNOWN)
                .toList();
    }

    private List<Question> ask(List<Row> rows, QuestionRequest request, Instant now) {
        Instant until = now.plus(request.lease());
        List<UUID> again = rows.stream().filter(Row::isStamped).map(Row::id).toList();
        List<UUID> first =
                rows.stream().filter(row -> !row.isStamped()).map(Row::id).toList();
        if (!again.isEmpty()) {
            ask(em.createQuery(ASK), again, until, request);
        }
        if (!first.isEmpty()) {
            ask(em.createQuery(ASK_FIRST).setParameter("now", now), first, until, request);
        }
        Map<UUID, OutboxRow> records = records(rows.stream().map(Row::id).toList());
        List<Question> questions = new ArrayList<>();
        for (Row row : rows) {
            Instant since = row.isStamped() ? row.unknownSince() : now;
            questions.add(new Question(
                    records.get(row.id()).toRecord(),
                    row.isStamped() ? row.count() + 1 : 1,
                    now,
                    !since.plus(request.settlingTime()).isAfter(now),
                    request.act()));
        }
        questions.sort(Comparator.comparing(Question::outboxId, Ids.ORDER));
        return questions;
    }

    private static void ask(Query update, List<UUID> ids, Instant until, QuestionRequest request) {
        update.setParameter("ids", ids)
                .setParameter("until", until)
                .setParameter("workerId", request.workerId())
                .executeUpdate();
    }

    private Map<UUID, OutboxRow> records(List<UUID> ids) {
        Map<UUID, OutboxRow> records = new HashMap<>();
        if (!ids.isEmpty()) {
            // Bulk statements change rows behind what the entity manager has read before.
            for (OutboxRow row : em.createQuery(RECORDS, OutboxRow.class)
                    .setParameter("ids", ids)
                    .setHint(QueryHints.REFRESH, HintValues.TRUE)
                    .getResultList()) {
                records.put(row.toRecord().entry().outboxId(), row);
            }
        }
        return records;
    }

    // settle

    boolean settle(Question question, String workerId, Reconciled answer, Instant now) {
        String code = null;
        String remoteRef = null;
        Query settle;
        switch (answer.kind()) {
            case COMPLETED -> {
                remoteRef = ((Reconciled.Completed) answer).remoteRef();
                settle = remoteRef == null
                        ? em.createQuery(COMPLETE)
                        : em.createQuery(COMPLETE_WITH_REFERENCE).setParameter("remoteRef", remoteRef);
                settle.setParameter("now", now);
            }
            case FAILED -> {
                code = ((Reconciled.Failed) answer).code();
                settle = em.createQuery(FAIL).setParameter("now", now).setParameter("code", code);
            }
            case RESEND -> {
                if (!question.settled()) {
                    throw new IllegalArgumentException("entry " + question.outboxId() + " is not settled yet");
                }
                settle = em.createQuery(RESEND);
            }
            default -> throw new IllegalArgumentException(answer + " settles nothing");
        }
        if (asked(settle, question) == 0) {
            return false;
        }
        record(question, workerId, answer.kind(), code, remoteRef, now);
        return true;
    }

    void putOff(Question question, Instant at) {
        asked(em.createQuery(PUT_OFF).setParameter("at", at), question);
    }

    long overdue(Instant before) {
        return em.createQuery(OVERDUE, Long.class)
                .setParameter("before", before)
                .getSingleResult();
    }

    private int asked(Query update, Question question) {
        return database.bounded(update)
                .setParameter("id", question.outboxId())
                .setParameter("attempt", question.attempt())
                .setParameter("number", question.number())
                .executeUpdate();
    }

    private void record(
            Question question, String workerId, Reconciled.Kind answer, String code, String remoteRef, Instant now) {
        em.createNativeQuery(RECORD)
                .setParameter(1, question.outboxId())
                .setParameter(2, question.attempt())
                .setParameter(3, question.number())
                .setParameter(4, workerId)
                .setParameter(5, question.askedAt().atOffset(ZoneOffset.UTC))
                .setParameter(6, now.atOffset(ZoneOffset.UTC))
                .setParameter(7, answer.name().toLowerCase(Locale.ROOT))
                .setParameter(8, code)
                .setParameter(9, remoteRef)
                .executeUpdate();
    }

    /** What is locked. */
    private record Row(
            UUID id,
            OutboxStatus status,
            int attempt,
            Integer unknownAttempt,
            Instant unknownSince,
            int count,
            Instant reconcileAt,
            String workerId,
            int bytes) {
        static final Comparator<Row> LONGEST_FIRST =
                Comparator.comparing(Row::reconcileAt, Comparator.nullsFirst(Comparator.naturalOrder()));

        static Row of(Object[] columns) {
            return new Row(
                    (UUID) columns[0],
                    (OutboxStatus) columns[1],
                    (Integer) columns[2],
                    (Integer) columns[3],
                    (Instant) columns[4],
                    (Integer) columns[5],
                    (Instant) columns[6],
                    (String) columns[7],
                    ((Number) columns[8]).intValue());
        }

        /** Whether the stamps belong to this attempt: a program that does not know them leaves them behind. */
        boolean isStamped() {
            return unknownSince != null && unknownAttempt != null && unknownAttempt == attempt;
        }

        boolean isDue(Instant now) {
            return reconcileAt == null || !reconcileAt.isAfter(now);
        }

        /** Whether another is asking now. */
        boolean isAsked(Instant now) {
            return isStamped() && workerId != null && !isDue(now);
        }
    }
}
