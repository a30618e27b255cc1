package io.turnframe.outbox.batch.http;

import java.util.Arrays;
import java.util.Optional;

/** What an answer says of the effect, as the configuration names it. */
enum Meaning {
    /** The remote has done it. */
    CONFIRMED("confirmed"),
    /** The remote refuses this request and would again. */
    REFUSED("refused"),
    /** The remote serves nobody now, or not us: no effect, and not the entry's fault. */
    TROUBLE("trouble"),
    /** It was not taken in, and may be later. */
    NOT_ARRIVED("not-arrived"),
    /** Nobody knows. */
    UNKNOWN("unknown");

    private final String label;

    Meaning(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    static Optional<Meaning> of(String label) {
        return Arrays.stream(values())
                .filter(meaning -> meaning.label.equals(label))
                .findFirst();
    }
}
