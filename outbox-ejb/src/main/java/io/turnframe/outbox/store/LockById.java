package io.turnframe.outbox.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.TypedQuery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Locks rows by nothing but their ids, skipping those locked elsewhere: see {@link Database#locksRangesExactly()}. */
final class LockById {
    /** From 1,000 ids on MariaDB makes a table of them, and may then walk, and lock, the whole of ours. */
    private static final int IDS_PER_STATEMENT = 500;

    /** Ids are read so many at a time at least, so that a few rows locked elsewhere are made up for at once. */
    private static final int LEAST_PAGE = 64;

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

    /**
     * Up to {@code limit} rows: ids are read unlocked, page by page, and locked so many at a time as are still missing, or as
     * fit one statement. Those of rows that are locked elsewhere, or no longer what they were, are read past.
     *
     * @param candidates a new query for the ids, in order
     * @param lock locks rows by their ids, and answers what may be taken of them
     */
    static <T> List<T> upTo(int limit, Supplier<TypedQuery<UUID>> candidates, Function<List<UUID>, List<T>> lock) {
        List<T> locked = new ArrayList<>();
        // A row that moves between two pages stands in both.
        Set<UUID> seen = new HashSet<>();
        int page = Math.max(limit, LEAST_PAGE);
        for (int first = 0; locked.size() < limit; first += page) {
            List<UUID> read =
                    candidates.get().setFirstResult(first).setMaxResults(page).getResultList();
            List<UUID> ids = read.stream().filter(seen::add).toList();
            for (int at = 0; at < ids.size() && locked.size() < limit; ) {
                int next = Math.min(ids.size(), at + Math.min(IDS_PER_STATEMENT, limit - locked.size()));
                locked.addAll(lock.apply(ids.subList(at, next)));
                at = next;
            }
            if (read.size() < page) {
                break;
            }
        }
        return locked;
    }
}
