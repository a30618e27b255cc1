package io.turnframe.outbox.batch.http;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a destination has said that statuses mean: a single status goes before its class, as {@code 409} before {@code 4xx}. */
final class StatusMap<M> {
    private static final Pattern STATUS = Pattern.compile("[1-5]([0-9]{2}|xx)");

    private final Map<String, M> meanings;

    private StatusMap(Map<String, M> meanings) {
        this.meanings = meanings;
    }

    /**
     * @param key of the configuration, for the message
     * @param text as {@code 409=confirmed, 5xx=not-arrived}; may be empty
     * @param byLabel the meanings as the configuration names them
     * @param example a list that could be meant, for the message
     * @throws IllegalArgumentException naming key, value and remedy
     */
    static <M> StatusMap<M> parse(String key, String text, Map<String, M> byLabel, String example) {
        Map<String, M> meanings = Labels.parse(key, text, byLabel, example);
        if (!meanings.keySet().stream()
                .allMatch(status -> STATUS.matcher(status).matches())) {
            throw Labels.refused(key, text, byLabel, example);
        }
        return new StatusMap<>(meanings);
    }

    /** Empty if nothing was said of it. */
    Optional<M> of(int status) {
        M single = meanings.get(Integer.toString(status));
        return Optional.ofNullable(single != null ? single : meanings.get(status / 100 + "xx"));
    }
}
