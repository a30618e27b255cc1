package io.turnframe.outbox.store;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Locks rows by nothing but their ids, skipping those locked elsewhere: see {@link Database#locksRangesExactly()}. */
final class LockById {
    /** From 1,000 ids on MariaDB makes a table of them, and may then walk, and lock, the whole of ours. */
    private static final int IDS_PER_STATEMENT = 500;

    private LockById() {}

    /**
     * The rows that are locked now, in no order. They may have changed since their ids were read.
     *
     * @param select which columns, from {@code OutboxRow o}; one of them in no index, or MariaDB would rather walk, and
     *     lock, the whole of one that holds all of them
     */
    static Stream<Object[]> rows(EntityManager em, String select, List<UUID> ids) {
        return IntStream.iterate(0, from -> from < ids.size(), from -> from + IDS_PER_STATEMENT)
                .mapToObj(from -> ids.subList(from, Math.min(ids.size(), from + IDS_PER_STATEMENT)))
                .flatMap(some -> ClaimStage.skippingLocked(
                                em.createQuery(select + " where o.outboxId in :ids", Object[].class))
                        .setParameter("ids", some)
                        .getResultStream());
    }
}
