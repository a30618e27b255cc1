package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.Released;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Releases abandoned claims, many in a transaction; and row by row where that fails, so that one which the database
 * refuses keeps no other back. Ticks
 * may overlap: each releases what the other has not locked.
 */
final class AbandonedClaims {
    private static final Logger LOG = Logger.getLogger(AbandonedClaims.class.getName());

    /** Rows that are tried one by one at most; the next tick goes on. */
    private static final int MOST_ALONE = 10_000;

    /** More ids than this are not named in one line. */
    private static final int LOGGED_IDS = 20;

    private final Releases releases;
    private final Consumer<UUID> unknown;

    /** Those that could not be released when last tried: said once. */
    private volatile List<UUID> stuck = List.of();

    private volatile boolean failing;

    /** How they are released, for the timer or for an operator; each call is a transaction. */
    interface Releases {
        /** Up to {@link DispatchStore#MAX_RELEASE}, the oldest first. */
        Released together();

        /** This one, if it is abandoned. */
        Released alone(UUID outboxId);

        /** Those there are, the oldest first. */
        List<UUID> abandoned(int limit);
    }

    /** @param unknown told of each row whose outcome is unknown now */
    AbandonedClaims(Releases releases, Consumer<UUID> unknown) {
        this.releases = releases;
        this.unknown = unknown;
    }

    /** As the timer releases them. */
    static Releases by(DispatchStore store, Duration claimTimeout, Supplier<Set<String>> deduplicating) {
        return new Releases() {
            @Override
            public Released together() {
                return store.releaseAbandoned(claimTimeout, deduplicating.get());
            }

            @Override
            public Released alone(UUID outboxId) {
                return store.releaseAbandoned(claimTimeout, deduplicating.get(), outboxId);
            }

            @Override
            public List<UUID> abandoned(int limit) {
                return store.abandoned(claimTimeout, limit);
            }
        };
    }

    /** Releases those there are; answers whether there were any. Never throws what the store meets. */
    boolean release() {
        List<Released> released = new ArrayList<>();
        try {
            all(released);
            failing = false;
        } catch (RuntimeException failure) {
            // Said once, not at every tick of an outage.
            LOG.log(
                    failing ? Level.FINE : Level.WARNING,
                    "abandoned claims could not be released; the next tick tries again",
                    failure);
            failing = true;
        }
        return tell(released, unknown);
    }

    /**
     * Releases those there are.
     *
     * @param released takes them, also those that were released before something threw
     * @throws RuntimeException if nothing answers at all
     */
    void all(List<Released> released) {
        while (together(released) == DispatchStore.MAX_RELEASE) {
            continue;
        }
    }

    /** Adds to {@code released}; answers how many were released together. */
    private int together(List<Released> released) {
        Released some;
        try {
            some = releases.together();
        } catch (RuntimeException oneOfThem) {
            LOG.log(Level.FINE, "abandoned claims could not be released together; trying row by row", oneOfThem);
            oneByOne(released);
            return 0;
        }
        released.add(some);
        stuck = List.of();
        return some.size();
    }

    private void oneByOne(List<Released> released) {
        List<UUID> refused = new ArrayList<>();
        for (UUID id : releases.abandoned(MOST_ALONE)) {
            try {
                released.add(releases.alone(id));
            } catch (RuntimeException refusal) {
                // If nothing answers at all, it is not for this row: throws, and the next tick tries again.
                releases.abandoned(1);
                if (!stuck.contains(id)) {
                    LOG.log(
                            Level.WARNING,
                            "the abandoned claim of entry " + id + " cannot be released; every tick tries again",
                            refusal);
                }
                refused.add(id);
            }
        }
        stuck = refused;
    }

    /** Has the log and {@code unknown} hear of it; answers whether there was anything. */
    static boolean tell(List<Released> released, Consumer<UUID> unknown) {
        List<UUID> aside =
                released.stream().flatMap(some -> some.unknown().stream()).toList();
        int pending = released.stream().mapToInt(some -> some.pending().size()).sum();
        if (pending == 0 && aside.isEmpty()) {
            return false;
        }
        LOG.log(
                Level.WARNING,
                "released abandoned claims: {0} back to pending, {1} with an unknown outcome; of the latter: {2}",
                new Object[] {pending, aside.size(), first(aside)});
        aside.forEach(unknown);
        return true;
    }

    private static List<UUID> first(List<UUID> ids) {
        return ids.subList(0, Math.min(ids.size(), LOGGED_IDS));
    }
}
