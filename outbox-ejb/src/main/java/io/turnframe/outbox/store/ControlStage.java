package io.turnframe.outbox.store;

import io.turnframe.outbox.store.persistence.SkipLockedClause;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Holds and limits: reads and changes them, and claims what a limit allows. */
final class ControlStage {
    private static final String ALL = "select c from ControlRow c order by c.destination";

    private static final String CLAIMED =
            "select count(o) from OutboxRow o where o.status = sql('''dispatching''') and o.destination = :destination";

    /** Another node claims from the same destination at this moment. */
    private static final Duration BUSY = Duration.ofMillis(20);

    /** A claim of another node ends without telling. */
    private static final Duration FULL = Duration.ofMillis(200);

    private final EntityManager em;
    private final DataSource dataSource;
    private final Database database;
    private final ClaimStage claim;

    ControlStage(EntityManager em, DataSource dataSource, Database database, ClaimStage claim) {
        this.em = em;
        this.dataSource = dataSource;
        this.database = database;
        this.claim = claim;
    }

    List<DestinationControl> all() {
        return em.createQuery(ALL, ControlRow.class)
                .setHint("eclipselink.read-only", true)
                .getResultStream()
                .map(ControlRow::toControl)
                .toList();
    }

    DestinationControl put(DestinationControl wanted, Instant now) {
        ControlRow row = lock(wanted.destination());
        if (row == null) {
            addIfAbsent(wanted.destination());
            row = lock(wanted.destination());
        }
        row.change(wanted, now);
        em.flush();
        return row.toControl();
    }

    private ControlRow lock(String destination) {
        return em.find(ControlRow.class, destination, LockModeType.PESSIMISTIC_WRITE);
    }

    /** Two may say something about a destination for the first time at once: the later of them finds the other's row. */
    private void addIfAbsent(String destination) {
        Jdbc.call(dataSource, connection -> {
            try (PreparedStatement insert =
                    connection.prepareStatement(database.insertIfAbsent("tf_outbox_destination", "destination"))) {
                database.bound(insert);
                insert.setString(1, destination);
                return insert.executeUpdate();
            } catch (SQLException refused) {
                if (Database.UNIQUE_VIOLATION.equals(refused.getSQLState())) {
                    return 0;
                }
                throw refused;
            }
        });
    }

    /**
     * Claims what the limits of {@link ClaimRequest#only} allow. The lock on its control makes this one after the other over
     * all nodes, so that what another has claimed is seen and counted.
     *
     * @param clock looked at under the lock, before and after the claim: a time from before may be long ago on a busy node,
     *     and a rate would be exceeded
     */
    LimitedClaim claim(ClaimRequest request, Supplier<Instant> clock) {
        ControlRow row = em.find(
                ControlRow.class,
                request.only(),
                LockModeType.PESSIMISTIC_WRITE,
                Map.of("jakarta.persistence.lock.timeout", SkipLockedClause.LOCK_TIMEOUT));
        if (row == null) {
            return new LimitedClaim(List.of(), BUSY);
        }
        Instant now = clock.get();
        long claimed = em.createQuery(CLAIMED, Long.class)
                .setParameter("destination", request.only())
                .getSingleResult();
        int permits = row.permits(request.limit(), claimed, now);
        List<ClaimedEntry> entries = permits == 0 ? List.of() : claim.claim(request.of(request.only(), permits), now);
        // The next permit counts from when the rows were seen: they may have come after the first look at the clock.
        row.take(entries.size(), clock.get());
        if (entries.size() < permits || row.toControl().held()) {
            return new LimitedClaim(entries, null);
        }
        if (!claim.isReady(request.only(), now)) {
            return new LimitedClaim(entries, null);
        }
        Duration permit = row.nextPermitIn(now);
        return new LimitedClaim(entries, permit == null ? FULL : permit);
    }
}
