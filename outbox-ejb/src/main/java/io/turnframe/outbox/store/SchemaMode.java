package io.turnframe.outbox.store;

import java.util.Locale;

/** What the deployment does with the schema. */
public enum SchemaMode {
    /** Creates and upgrades it. */
    MIGRATE,
    /** Refuses to start unless it is the one this version needs. */
    VALIDATE,
    /** Trusts the administrator. */
    OFF;

    static final String KEY = "outbox.schema";

    /** @throws IllegalArgumentException naming the key, the value and what is allowed */
    static SchemaMode ofProperty(String value) {
        for (SchemaMode mode : values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(value)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(KEY + " is '" + value + "'; write migrate, validate or off");
    }
}
