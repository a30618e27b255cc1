package io.turnframe.outbox.batch.http;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What each status code means: the documented table ({@code docs/senders.md}), with what a destination has of its own
 * laid over it. A single status goes before its class.
 */
final class AnswerTable {
    private static final Pattern STATUS = Pattern.compile("[1-5]([0-9]{2}|xx)");

    private final boolean resourcePerEntry;
    private final Map<String, Meaning> own;

    private AnswerTable(boolean resourcePerEntry, Map<String, Meaning> own) {
        this.resourcePerEntry = resourcePerEntry;
        this.own = own;
    }

    /**
     * @param resourcePerEntry whether the URL has the entry's ids in it, so that 404 speaks of the entry
     * @param key of the configuration, for the message
     * @param text as {@code 409=confirmed, 5xx=not-arrived}
     * @throws IllegalArgumentException naming key, value and remedy
     */
    static AnswerTable parse(boolean resourcePerEntry, String key, String text) {
        Map<String, Meaning> own = new HashMap<>();
        for (String item : text.split(",")) {
            if (item.isBlank()) {
                continue;
            }
            String[] parts = item.strip().split("\\s*=\\s*", 2);
            Meaning meaning = parts.length < 2 ? null : Meaning.of(parts[1]).orElse(null);
            if (meaning == null || !STATUS.matcher(parts[0]).matches()) {
                throw new IllegalArgumentException(key + " is '" + text
                        + "'; write a list such as 409=confirmed, 5xx=not-arrived of confirmed, refused, trouble,"
                        + " not-arrived and unknown");
            }
            own.put(parts[0], meaning);
        }
        return new AnswerTable(resourcePerEntry, own);
    }

    /** @param retryAfter whether the answer says when to come again */
    Meaning of(int status, boolean retryAfter) {
        Meaning single = own.get(Integer.toString(status));
        if (single != null) {
            return single;
        }
        Meaning ofClass = own.get(status / 100 + "xx");
        return ofClass != null ? ofClass : documented(status, retryAfter);
    }

    private Meaning documented(int status, boolean retryAfter) {
        return switch (status) {
            case 401, 403, 405, 407 -> Meaning.TROUBLE;
            case 404 -> resourcePerEntry ? Meaning.REFUSED : Meaning.TROUBLE;
            case 408, 409, 425 -> Meaning.UNKNOWN;
            case 429 -> Meaning.NOT_ARRIVED;
            case 503 -> retryAfter ? Meaning.NOT_ARRIVED : Meaning.UNKNOWN;
            default ->
                switch (status / 100) {
                    case 2 -> Meaning.CONFIRMED;
                    case 4 -> Meaning.REFUSED;
                    default -> Meaning.UNKNOWN;
                };
        };
    }
}
