package io.turnframe.outbox.batch.http;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What each status code means: the documented table ({@code docs/senders.md}), with what a destination has of its own
 * laid over it.
 */
final class AnswerTable {
    private final boolean resourcePerEntry;
    private final StatusMap<Meaning> own;

    private AnswerTable(boolean resourcePerEntry, StatusMap<Meaning> own) {
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
        Map<String, Meaning> byLabel =
                Arrays.stream(Meaning.values()).collect(Collectors.toMap(Meaning::label, Function.identity()));
        return new AnswerTable(resourcePerEntry, StatusMap.parse(key, text, byLabel, "409=confirmed, 5xx=not-arrived"));
    }

    /** @param retryAfter whether the answer says when to come again */
    Meaning of(int status, boolean retryAfter) {
        return own.of(status).orElseGet(() -> documented(status, retryAfter));
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
