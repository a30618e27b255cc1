package io.turnframe.outbox.batch.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The values of one label; those beyond a number are one value, so that a bad sender cannot make series without bound. */
final class Labels {
    /** What stands for all that came later. */
    static final String OTHER = "other";

    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    Labels(int most) {
        this.most = most;
    }

    /** {@code value}, if it is one of the first. */
    String of(String value) {
        if (known.contains(value)) {
            return value;
        }
        synchronized (known) {
            return known.size() < most && known.add(value) ? value : known.contains(value) ? value : OTHER;
        }
    }
}
