package io.turnframe.outbox.store;

import java.util.Comparator;
import java.util.UUID;

/** The order of ids that the databases use: byte by byte. {@link UUID#compareTo} compares signed halves. */
final class Ids {
    static final Comparator<UUID> ORDER = (a, b) -> {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    };

    private Ids() {}
}
