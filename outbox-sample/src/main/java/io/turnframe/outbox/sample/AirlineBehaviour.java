package io.turnframe.outbox.sample;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the simulated airline is told to do with a booking. */
public enum AirlineBehaviour {
    /** Books at once: 201 with a reference. */
    ACCEPT,
    /** Refuses for good: 422. */
    REFUSE,
    /** Is busy twice (503 with Retry-After), then books. */
    BUSY,
    /** Books and never answers. */
    SILENT;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The name in lower case, as JSON shows it. */
    public String label() {
        return label;
    }

    /** The behaviour with this label; empty if there is none, also for null. */
    public static Optional<AirlineBehaviour> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(behaviour -> behaviour.label.equals(label))
                .findFirst();
    }

    /** Every label, for messages: {@code accept, refuse, busy, silent}. */
    public static String labels() {
        return Arrays.stream(values()).map(AirlineBehaviour::label).collect(Collectors.joining(", "));
    }
}
