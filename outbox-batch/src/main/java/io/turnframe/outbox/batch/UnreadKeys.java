package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.ConfigValues;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Finds keys that begin like ours and that nothing reads: misspelt, of a destination that is not listed, or without another
 * key that they need. What is read is not listed anywhere: the settings are read once more, and asked what they look up.
 */
final class UnreadKeys {
    private static final String PREFIX = "outbox.";

    /** Read by the store. */
    private static final Set<String> ELSEWHERE = Set.of("outbox.schema", "outbox.payload.max-bytes");

    /** Not for the outbox: what the scripts that set up a server look up, and tests. */
    private static final List<String> OTHERS =
            List.of("outbox.h2.", "outbox.postgresql.", "outbox.mariadb.", "outbox.test.", "outbox.crash.");

    /** More edits than this make another word. */
    private static final int SIMILAR = 5;

    private UnreadKeys() {}

    /**
     * One sentence for each, without its value, which may be secret.
     *
     * @param names the keys that are set, ours and others
     * @param source the value of a key
     * @param isVariable whether there is an environment variable of that name; what a server makes of one is no key anybody wrote
     */
    static List<String> sentences(
            Iterable<String> names, Function<String, Optional<String>> source, Predicate<String> isVariable) {
        Set<String> read = new TreeSet<>(ELSEWHERE);
        ConfigValues values = new ConfigValues(
                key -> {
                    read.add(key);
                    return source.apply(key);
                },
                UnaryOperator.identity());
        DispatchSettings dispatch = new DispatchSettings();
        dispatch.read(values);
        new ReconcileSettings().read(values, dispatch.destinations().keySet());
        new PurgeSettings().read(values);
        new HealthSettings().read(values, dispatch.destinations().keySet());
        AdminSettings.mayEnqueue(values);
        AdminSettings.needsSecondPerson(values);

        Set<String> unread = new TreeSet<>();
        for (String name : names) {
            if (name.startsWith(PREFIX)
                    && !read.contains(name)
                    && OTHERS.stream().noneMatch(name::startsWith)
                    && !isVariable.test(variable(name))) {
                unread.add(name);
            }
        }
        List<String> sentences = new ArrayList<>();
        unread.forEach(name -> sentences.add(name + " is set, and nothing reads it" + hint(name, read)));
        return sentences;
    }

    private static String hint(String name, Set<String> read) {
        String group = name.substring(0, name.lastIndexOf('.') + 1);
        return read.stream()
                .filter(key -> key.startsWith(group) && distance(name, key) <= SIMILAR)
                .min(Comparator.comparingInt(key -> distance(name, key)))
                .map(key -> "; is " + key + " meant?")
                .orElse("");
    }

    /** The environment variable of a key. */
    private static String variable(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** How many letters must be put in, left out or changed to make one of the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
