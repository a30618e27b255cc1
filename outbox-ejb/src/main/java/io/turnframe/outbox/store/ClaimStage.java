package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.persistence.SkipLockedClause;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

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

    private static final String ONLY = " and o.destination = :only";

    private static final String IN_ORDER = " order by o.createdAt, o.outboxId";

    /** The payload of a large row is read by itself, and only if the claim has room for it. */
    private static final String COLUMNS = """
            select o.outboxId, o.commandId, o.destination,
                   case when %2$s <= %3$d then %1$s else '' end, %2$s,
                   o.idempotencyKey, o.attemptCount, o.nextAttemptAt, o.createdAt, o.attemptsForgiven, o.abandonedCount
            from OutboxRow o where\s""";

    private static final String PAYLOADS = "select o.outboxId, o.payload from OutboxRow o where o.outboxId in :ids";

    private static final String CANDIDATES = "select o.outboxId from OutboxRow o where ";

    private static final String BY_ID = " and o.outboxId in :ids";

    private static final String CLAIM = """
            update OutboxRow o
            set o.status = io.turnframe.outbox.OutboxStatus.DISPATCHING, o.attemptCount = o.attemptCount + 1,
                o.claimWorkerId = :workerId, o.claimTakenAt = :now, o.claimToken = :token, o.sendStartedAt = null,
                o.sendsUnmarked = :unmarked
            where o.status = io.turnframe.outbox.OutboxStatus.PENDING and\s""";

    private static final String COME_DUE = " and o.nextAttemptAt <= :now";

    private static final String BY_DUE_TIME = " order by o.nextAttemptAt";

    private static final String DELAYED_BY_ID =
            "select o.outboxId, o.status, o.nextAttemptAt, o.promotedAt, o.attemptCount from OutboxRow o";

    private static final String PROMOTE = "update OutboxRow o set o.promotedAt = :now where o.outboxId in :ids";

    /** Bytes up to which a payload is read with its row: what a claim holds at most of payloads it does not want. */
    private static final int SMALL = 65_536;

    private final EntityManager em;
    private final Database database;
    private final String columns;
    private final String ready;
    private final String delayed;
    private final String take;

    ClaimStage(EntityManager em, Database database) {
        this.em = em;
        this.database = database;
        this.columns = COLUMNS.formatted(database.payload(), database.payloadBytes(), SMALL);
        this.ready = database.queue().ready() + DUE;
        this.delayed = CANDIDATES + database.queue().delayed() + COME_DUE + BY_DUE_TIME;
        this.take = CLAIM + database.amongIds();
    }

    /** Makes up to {@code limit} delayed rows ready; answers how many. */
    int promote(Instant now, int limit) {
        List<UUID> ids = database.locksRangesExactly()
                ? skippingLocked(due(now)).setMaxResults(limit).getResultList()
                : LockById.upTo(limit, () -> due(now), due -> lockDelayed(due, now));
        if (!ids.isEmpty()) {
            em.createQuery(PROMOTE)
                    .setParameter("now", now)
                    .setParameter("ids", ids)
                    .executeUpdate();
        }
        return ids.size();
    }

    private TypedQuery<UUID> due(Instant now) {
        return em.createQuery(delayed, UUID.class).setParameter("now", now);
    }

    private List<UUID> lockDelayed(List<UUID> ids, Instant now) {
        return LockById.rows(em, DELAYED_BY_ID, ids)
                .filter(row -> row[1] == OutboxStatus.PENDING && isDelayed((Instant) row[2], (Instant) row[3], now))
                .map(row -> (UUID) row[0])
                .toList();
    }

    /** MariaDB's date of zeros is read as null; a row that is due at once may be promoted, too. */
    private static boolean isDelayed(Instant nextAttemptAt, Instant promotedAt, Instant now) {
        return nextAttemptAt == null
                || !nextAttemptAt.isAfter(now) && (promotedAt == null || promotedAt.isBefore(nextAttemptAt));
    }

    /**
     * Claims ready rows, oldest first, up to the request's limits. A row that was abandoned before is claimed alone: should
     * it be what kills its node, no neighbour suffers with it again.
     */
    List<ClaimedEntry> claim(ClaimRequest request, Instant now) {
        List<Row> locked = database.locksInOrder() ? lock(now, request) : lockById(now, request);
        List<Row> rows = withPayloads(fitting(locked, request.maxBytes()));
        if (rows.isEmpty()) {
            return List.of();
        }
        Map<Boolean, List<UUID>> byPolicy = rows.stream()
                .collect(Collectors.partitioningBy(
                        row -> request.deduplicating().contains(row.destination()),
                        Collectors.mapping(Row::id, Collectors.toList())));
        int claimed = 0;
        for (Map.Entry<Boolean, List<UUID>> policy : byPolicy.entrySet()) {
            if (!policy.getValue().isEmpty()) {
                claimed += em.createQuery(take)
                        .setParameter("workerId", request.workerId())
                        .setParameter("now", now)
                        .setParameter("token", request.token())
                        .setParameter("unmarked", policy.getKey())
                        .setParameter("ids", database.ids(policy.getValue()))
                        .executeUpdate();
            }
        }
        if (claimed != rows.size()) {
            throw new IllegalStateException("locked " + rows.size() + " rows but claimed " + claimed);
        }
        return rows.stream().map(Row::claimed).toList();
    }

    /** The first rows that one claim may take together; those left over are unlocked when the transaction ends. */
    private static List<Row> fitting(List<Row> locked, long maxBytes) {
        List<Row> fitting = new ArrayList<>();
        long bytes = 0;
        for (Row row : locked) {
            bytes += row.length();
            boolean suspect = row.abandoned() > 0;
            if (!fitting.isEmpty() && (bytes > maxBytes || suspect)) {
                break;
            }
            fitting.add(row);
            if (suspect) {
                break;
            }
        }
        return fitting;
    }

    private List<Row> withPayloads(List<Row> rows) {
        List<UUID> large =
                rows.stream().filter(row -> row.length() > SMALL).map(Row::id).toList();
        if (large.isEmpty()) {
            return rows;
        }
        Map<UUID, String> payloads = new HashMap<>();
        for (Object[] row : em.createQuery(PAYLOADS, Object[].class)
                .setParameter("ids", large)
                .getResultList()) {
            payloads.put((UUID) row[0], (String) row[1]);
        }
        return rows.stream()
                .map(row -> payloads.containsKey(row.id()) ? row.with(payloads.get(row.id())) : row)
                .toList();
    }

    /** One statement: ORDER BY, LIMIT, FOR UPDATE SKIP LOCKED. */
    private List<Row> lock(Instant now, ClaimRequest request) {
        TypedQuery<Object[]> query = em.createQuery(columns + wanted(request) + IN_ORDER, Object[].class);
        return rows(skippingLocked(bound(query, now, request)).setMaxResults(request.limit()));
    }

    /** Where an ordered lock would lock every row that matches. */
    private List<Row> lockById(Instant now, ClaimRequest request) {
        String candidates = CANDIDATES + wanted(request) + IN_ORDER;
        List<Row> locked = LockById.upTo(
                request.limit(),
                () -> bound(em.createQuery(candidates, UUID.class), now, request),
                ids -> rows(skippingLocked(em.createQuery(columns + ready + BY_ID, Object[].class)
                        .setParameter("now", now)
                        .setParameter("ids", ids))));
        locked.sort(Row.ORDER);
        return locked;
    }

    /** Whether a row of the destination waits to be claimed. */
    boolean isReady(String destination, Instant now) {
        return !em.createQuery(CANDIDATES + ready + ONLY + IN_ORDER, UUID.class)
                .setParameter("now", now)
                .setParameter("only", destination)
                .setMaxResults(1)
                .getResultList()
                .isEmpty();
    }

    private String wanted(ClaimRequest request) {
        return ready
                + (request.only() == null ? "" : ONLY)
                + (request.excluded().isEmpty() ? "" : NOT_EXCLUDED);
    }

    private static <T> TypedQuery<T> bound(TypedQuery<T> query, Instant now, ClaimRequest request) {
        query.setParameter("now", now);
        if (request.only() != null) {
            query.setParameter("only", request.only());
        }
        if (!request.excluded().isEmpty()) {
            query.setParameter("excluded", request.excluded());
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
    private record Row(OutboxEntry entry, int length, int forgiven, int abandoned) {
        static final Comparator<Row> ORDER =
                Comparator.comparing((Row row) -> row.entry.createdAt()).thenComparing(Row::id, Ids.ORDER);

        static Row of(Object[] columns) {
            OutboxEntry entry = OutboxEntry.builder()
                    .outboxId((UUID) columns[0])
                    .commandId((UUID) columns[1])
                    .destination((String) columns[2])
                    .payload((String) columns[3])
                    .idempotencyKey((String) columns[5])
                    .status(OutboxStatus.DISPATCHING)
                    .attemptCount((Integer) columns[6] + 1)
                    .nextAttemptAt(Instants.within((Instant) columns[7]))
                    .createdAt(Instants.withinOrFirst((Instant) columns[8]))
                    .build();
            return new Row(entry, ((Number) columns[4]).intValue(), (Integer) columns[9], (Integer) columns[10]);
        }

        Row with(String payload) {
            return new Row(entry.toBuilder().payload(payload).build(), length, forgiven, abandoned);
        }

        UUID id() {
            return entry.outboxId();
        }

        String destination() {
            return entry.destination();
        }

        ClaimedEntry claimed() {
            return new ClaimedEntry(entry, entry.attemptCount() - forgiven, abandoned);
        }
    }
}
