package io.turnframe.outbox.batch;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Typed values by key, from job parameters first and the configuration behind them. A bad value is an
 * {@link IllegalArgumentException} whose sentence names key, value and remedy.
 */
final class ConfigValues {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h)");

    private final Function<String, Optional<String>> source;

    /** @param source the text of a key, if it is set */
    ConfigValues(Function<String, Optional<String>> source) {
        this.source = source;
    }

    Optional<String> text(String key) {
        return source.apply(key).map(String::strip).filter(value -> !value.isEmpty());
    }

    int integer(String key, int fallback) {
        return text(key)
                .map(value -> parse(key, value, Integer::valueOf, "write a whole number"))
                .orElse(fallback);
    }

    double decimal(String key, double fallback) {
        return text(key)
                .map(value -> parse(key, value, Double::valueOf, "write a number such as 0.2"))
                .orElse(fallback);
    }

    boolean flag(String key, boolean fallback) {
        return text(key)
                .map(value -> parse(key, value, ConfigValues::booleanOf, "write true or false"))
                .orElse(fallback);
    }

    Duration duration(String key, Duration fallback) {
        return text(key)
                .map(value -> parse(
                        key, value, ConfigValues::durationOf, "write a duration such as 500ms, 30s, 2m, 1h or PT30S"))
                .orElse(fallback);
    }

    private static <T> T parse(String key, String value, Function<String, T> parser, String remedy) {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException | DateTimeParseException bad) {
            throw new IllegalArgumentException(key + " is '" + value + "'; " + remedy, bad);
        }
    }

    private static Boolean booleanOf(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(value);
        };
    }

    private static Duration durationOf(String value) {
        Matcher matcher = SHORT.matcher(value);
        if (!matcher.matches()) {
            return Duration.parse(value);
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
