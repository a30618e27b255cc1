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

    private final DispatchStore store;
    private final Duration claimTimeout;
    private final Supplier<Set<String>> deduplicating;
    private final Consumer<UUID> unknown;

    /** Those that could not be released when last tried: said once. */
    private volatile List<UUID> stuck = List.of();

    private volatile boolean failing;

    /** @param unknown told of each row whose outcome is unknown now */
    AbandonedClaims(
            DispatchStore store, Duration claimTimeout, Supplier<Set<String>> deduplicating, Consumer<UUID> unknown) {
        this.store = store;
        this.claimTimeout = claimTimeout;
        this.deduplicating = deduplicating;
        this.unknown = unknown;
    }

    /** Releases those there are; answers whether there were any. Never throws what the store meets. */
    boolean release() {
        List<Released> released = new ArrayList<>();
        try {
            while (together(released) == DispatchStore.MAX_RELEASE) {
                continue;
            }
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

    /** Adds to {@code released}; answers how many were released together. */
    private int together(List<Released> released) {
        Set<String> repeatable = deduplicating.get();
        Released some;
        try {
            some = store.releaseAbandoned(claimTimeout, repeatable);
        } catch (RuntimeException oneOfThem) {
            LOG.log(Level.FINE, "abandoned claims could not be released together; trying row by row", oneOfThem);
            oneByOne(repeatable, released);
            return 0;
        }
        released.add(some);
        stuck = List.of();
        return some.size();
    }

    private void oneByOne(Set<String> repeatable, List<Released> released) {
        List<UUID> refused = new ArrayList<>();
        for (UUID id : store.abandoned(claimTimeout, MOST_ALONE)) {
            try {
                released.add(store.releaseAbandoned(claimTimeout, repeatable, id));
            } catch (RuntimeException refusal) {
                // If nothing answers at all, it is not for this row: throws, and the next tick tries again.
                store.abandoned(claimTimeout, 1);
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
