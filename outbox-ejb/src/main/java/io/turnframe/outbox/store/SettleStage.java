package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Mark, settle and give back, for the holder of a claim. Every statement names the claim's token and the status it
 * expects; the rows it did not change are looked at afterwards, and only when there are any. A row that another
 * transaction holds is waited for, but not for ever: the others of its batch are settled one by one then.
 */
final class SettleStage {
    private static final String HELD =
            " where o.claimToken = :token" + " and o.status = io.turnframe.outbox.OutboxStatus.DISPATCHING and ";

    private static final String MARK = "update OutboxRow o set o.sendStartedAt = :now" + HELD;

    private static final String LOCK = "select o.outboxId from OutboxRow o" + HELD + "o.outboxId = :id";

    private static final String GIVE_BACK = """
        update OutboxRow o
        set o.status = io.turnframe.outbox.OutboxStatus.PENDING, o.attemptsForgiven = o.attemptsForgiven + 1,
            o.claimWorkerId = null, o.claimTakenAt = null, o.sendStartedAt = null\
        """ + HELD;

    private static final String COMPLETE = """
        update OutboxRow o
        set o.status = io.turnframe.outbox.OutboxStatus.COMPLETED, o.completedAt = :now,
            o.claimWorkerId = null, o.claimTakenAt = null, o.sendStartedAt = null\
        """ + HELD;

    /**
     * The attempt's number tells that nobody has claimed the row since, and so does the token, also where somebody has set
     * the count back by hand. The row may still be dispatching under the same claim: the answer then overtakes the
     * settlement as unknown.
     */
    private static final String COMPLETE_LATE = """
        update OutboxRow o
        set o.status = io.turnframe.outbox.OutboxStatus.COMPLETED, o.completedAt = :now,
            o.claimWorkerId = null, o.claimTakenAt = null, o.sendStartedAt = null,
            %s
        where o.outboxId = :id and o.attemptCount = :attempt
          and (o.status in (io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN,
                            io.turnframe.outbox.OutboxStatus.PENDING)
               and (o.claimToken is null or o.claimToken = :token)
               or o.status = io.turnframe.outbox.OutboxStatus.DISPATCHING and o.claimToken = :token)\
        """.formatted(ReconcileStage.FORGET);

    private static final String FILL_REFERENCE =
            "update OutboxRow o set o.remoteRef = :remoteRef where o.outboxId = :id";

    private static final String TOKENS = """
        select o.outboxId, o.status from OutboxRow o
        where o.outboxId in :ids and o.claimToken = :token\
        """;

    /** One statement for every outcome with values of its own, sent as a batch: one round trip. */
    private static final String SETTLE_ROW = """
        UPDATE tf_outbox
        SET status = ?, completed_at = ?, next_attempt_at = COALESCE(?, next_attempt_at),
            last_failure = COALESCE(?, last_failure), remote_ref = COALESCE(?, remote_ref),
            attempts_forgiven = attempts_forgiven + ?,
            claim_worker_id = NULL, claim_taken_at = NULL, send_started_at = NULL
        WHERE outbox_id = ? AND claim_token = ? AND status = 'dispatching'\
        """;

    /** Of the rows just settled as unknown; one that a repeat finds stamped keeps its time. */
    private static final String STAMP = "update OutboxRow o set " + ReconcileStage.STAMP
            + " where o.outboxId in :ids and o.claimToken = :token"
            + " and o.status = io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN"
            + " and (o.unknownAttempt is null or o.unknownAttempt <> o.attemptCount)";

    private final EntityManager em;
    private final DataSource dataSource;
    private final Database database;
    private final String mark;
    private final String giveBack;
    private final String complete;

    SettleStage(EntityManager em, DataSource dataSource, Database database) {
        this.em = em;
        this.dataSource = dataSource;
        this.database = database;
        this.mark = MARK + database.amongIds();
        this.giveBack = GIVE_BACK + database.amongIds();
        this.complete = COMPLETE + database.amongIds();
    }

    /** Answers the ids whose claim was lost. */
    Set<UUID> mark(UUID token, Collection<UUID> ids, Instant now) {
        int marked = database.bounded(em.createQuery(mark))
                .setParameter("now", now)
                .setParameter("ids", database.ids(ids))
                .setParameter("token", token)
                .executeUpdate();
        return marked == ids.size() ? Set.of() : lost(token, ids, OutboxStatus.DISPATCHING);
    }

    /** Keeps the row from changing until the transaction ends; answers whether the claim still holds. */
    boolean lock(UUID token, UUID id) {
        return !database.bounded(em.createQuery(LOCK, UUID.class).setLockMode(LockModeType.PESSIMISTIC_WRITE))
                .setParameter("id", id)
                .setParameter("token", token)
                .getResultList()
                .isEmpty();
    }

    /** Answers the ids whose claim was lost. */
    Set<UUID> giveBack(UUID token, Collection<UUID> ids) {
        int given = database.bounded(em.createQuery(giveBack))
                .setParameter("ids", database.ids(ids))
                .setParameter("token", token)
                .executeUpdate();
        return given == ids.size() ? Set.of() : lost(token, ids, OutboxStatus.PENDING);
    }

    /** Answers the ids that were refused. */
    Set<UUID> settle(UUID token, List<Settlement> settlements, Instant now) {
        List<UUID> plain = settlements.stream()
                .filter(Settlement::isPlainCompletion)
                .map(Settlement::outboxId)
                .toList();
        List<Settlement> own =
                settlements.stream().filter(s -> !s.isPlainCompletion()).toList();
        Set<UUID> refused = new HashSet<>();
        if (!plain.isEmpty()) {
            refused.addAll(complete(token, plain, now));
        }
        if (!own.isEmpty()) {
            refused.addAll(settleRows(token, own, now));
            stamp(token, own, now);
        }
        return refused;
    }

    /** Answers whether the row was waiting for this answer and is completed now. */
    boolean completeLate(UUID token, Attempt attempt, Instant now) {
        int completed = database.bounded(em.createQuery(COMPLETE_LATE))
                .setParameter("now", now)
                .setParameter("id", attempt.outboxId())
                .setParameter("attempt", attempt.number())
                .setParameter("token", token)
                .executeUpdate();
        if (completed == 1 && attempt.remoteRef() != null) {
            em.createQuery(FILL_REFERENCE)
                    .setParameter("remoteRef", attempt.remoteRef())
                    .setParameter("id", attempt.outboxId())
                    .executeUpdate();
        }
        return completed == 1;
    }

    private Set<UUID> complete(UUID token, List<UUID> ids, Instant now) {
        int completed = database.bounded(em.createQuery(complete))
                .setParameter("now", now)
                .setParameter("ids", database.ids(ids))
                .setParameter("token", token)
                .executeUpdate();
        return completed == ids.size() ? Set.of() : lost(token, ids, OutboxStatus.COMPLETED);
    }

    private Set<UUID> settleRows(UUID token, List<Settlement> settlements, Instant now) {
        int[] counts = Jdbc.call(dataSource, connection -> {
            try (PreparedStatement update = connection.prepareStatement(SETTLE_ROW)) {
                database.bound(update);
                for (Settlement settlement : settlements) {
                    bind(update, token, settlement, now);
                    update.addBatch();
                }
                return update.executeBatch();
            }
        });
        Map<UUID, OutboxStatus> unchanged = new HashMap<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 1) {
                unchanged.put(settlements.get(i).outboxId(), settlements.get(i).status());
            }
        }
        if (!unchanged.isEmpty()) {
            statuses(token, Set.copyOf(unchanged.keySet())).forEach(unchanged::remove);
        }
        return unchanged.keySet();
    }

    private void stamp(UUID token, List<Settlement> settlements, Instant now) {
        List<UUID> unknown = settlements.stream()
                .filter(s -> s.status() == OutboxStatus.OUTCOME_UNKNOWN)
                .map(Settlement::outboxId)
                .toList();
        if (!unknown.isEmpty()) {
            em.createQuery(STAMP)
                    .setParameter("now", now)
                    .setParameter("ids", unknown)
                    .setParameter("token", token)
                    .executeUpdate();
        }
    }

    private void bind(PreparedStatement update, UUID token, Settlement settlement, Instant now) throws SQLException {
        boolean retry = settlement.status() == OutboxStatus.PENDING;
        update.setString(1, settlement.status().label());
        Instant completedAt = settlement.status().isTerminal() ? now : null;
        Instant nextAttemptAt = retry ? Instants.within(now.plus(settlement.retryAfter())) : null;
        database.bind(update, 2, completedAt);
        database.bind(update, 3, nextAttemptAt);
        update.setString(4, settlement.code());
        update.setString(5, settlement.remoteRef());
        update.setInt(6, settlement.forgiven() ? 1 : 0);
        update.setObject(7, settlement.outboxId());
        update.setObject(8, token);
    }

    /** Of these ids, those whose row is not in {@code expected} under this token. */
    private Set<UUID> lost(UUID token, Collection<UUID> ids, OutboxStatus expected) {
        Set<UUID> lost = new HashSet<>(ids);
        statuses(token, ids).forEach((id, status) -> {
            if (status == expected) {
                lost.remove(id);
            }
        });
        return lost;
    }

    /** The statuses of the rows that still carry this token: a repeat of an ambiguous commit finds its own work. */
    private Map<UUID, OutboxStatus> statuses(UUID token, Collection<UUID> ids) {
        Map<UUID, OutboxStatus> statuses = new HashMap<>();
        for (Object[] row : em.createQuery(TOKENS, Object[].class)
                .setParameter("ids", ids)
                .setParameter("token", token)
                .getResultList()) {
            statuses.put((UUID) row[0], (OutboxStatus) row[1]);
        }
        return statuses;
    }
}
