package io.turnframe.outbox.batch.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/** Reads lists such as {@code 409=confirmed, 5xx=unknown}. */
final class Labels {
    private Labels() {}

    /**
     * @param key of the configuration, for the message
     * @param byLabel what may stand behind an equals sign
     * @param example a list that could be meant, for the message
     * @throws IllegalArgumentException naming key, value and remedy
     */
    static <M> Map<String, M> parse(String key, String text, Map<String, M> byLabel, String example) {
        Map<String, M> parsed = new LinkedHashMap<>();
        for (String item : text.split(",")) {
            if (item.isBlank()) {
                continue;
            }
            String[] parts = item.strip().split("\\s*=\\s*", 2);
            M meaning = parts.length < 2 || parts[0].isEmpty() ? null : byLabel.get(parts[1]);
            if (meaning == null) {
                throw refused(key, text, byLabel, example);
            }
            parsed.put(parts[0], meaning);
        }
        return parsed;
    }

    static IllegalArgumentException refused(String key, String text, Map<String, ?> byLabel, String example) {
        return new IllegalArgumentException(key + " is '" + text + "'; write a list such as " + example + ", with "
                + String.join(", ", new TreeSet<>(byLabel.keySet())) + " behind the signs");
    }
}
