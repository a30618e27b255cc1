package io.turnframe.outbox.batch;

import io.turnframe.outbox.Dispatched;
import java.util.Locale;

/** Which attempts are journalled. */
enum JournalMode {
    /** None; late answers neither. */
    NONE,
    /** Those that did not complete their row, and late answers. */
    NOT_COMPLETED,
    /** All. */
    ALL;

    static final String KEY = "outbox.dispatch.journal";

    /** @throws IllegalArgumentException naming the key, the value and what is allowed */
    static JournalMode ofProperty(String value) {
        for (JournalMode mode : values()) {
            if (mode.label().equals(value)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(KEY + " is '" + value + "'; write none, not-completed or all");
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean keeps(Dispatched.Kind outcome) {
        return this == ALL || this == NOT_COMPLETED && outcome != Dispatched.Kind.COMPLETED;
    }

    boolean keepsLate() {
        return this != NONE;
    }
}
