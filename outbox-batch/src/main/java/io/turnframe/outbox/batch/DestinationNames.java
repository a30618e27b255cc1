package io.turnframe.outbox.batch;

import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.store.ConfigValues;
import io.turnframe.outbox.store.DestinationControl;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The names of the destinations, as {@code outbox.destinations} lists them. */
final class DestinationNames {
    static final String KEY = "outbox.destinations";

    /** Of a list with other separators each name would be a part. */
    private static final Pattern SEPARATOR = Pattern.compile("[\\s;]");

    private DestinationNames() {}

    /**
     * In their order.
     *
     * @throws IllegalArgumentException naming key, value and remedy, if a name is none, or is listed twice
     */
    static Set<String> read(ConfigValues values) {
        Set<String> names = new LinkedHashSet<>();
        String list = values.text(KEY).orElse("");
        if (list.isEmpty()) {
            return names;
        }
        for (String listed : list.split(",", -1)) {
            String name = listed.strip();
            if (name.isEmpty()) {
                throw new IllegalArgumentException(
                        KEY + " is '" + list + "', with a comma too many; write names such as airline,hotel");
            }
            check(name);
            if (!names.add(name)) {
                throw new IllegalArgumentException(KEY + " lists '" + name + "' twice; leave one of them out");
            }
        }
        return names;
    }

    private static void check(String name) {
        try {
            EntryRules.text("the name", name, OutboxEntry.MAX_DESTINATION);
        } catch (InvalidRecordException impossible) {
            throw refused(name, impossible.getMessage());
        }
        if (SEPARATOR.matcher(name).find()) {
            throw refused(name, "separate names by commas; none has a blank or ';' in it");
        }
        if (DestinationControl.EVERYTHING.equals(name)) {
            throw refused(name, "it stands for every destination; list each by its name");
        }
    }

    private static IllegalArgumentException refused(String name, String remedy) {
        return new IllegalArgumentException(KEY + " lists '" + name + "'; " + remedy);
    }
}
