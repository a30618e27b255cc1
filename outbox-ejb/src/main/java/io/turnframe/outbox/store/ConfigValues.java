package io.turnframe.outbox.store;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Typed values by key. A bad value is an
 * {@link IllegalArgumentException} whose sentence names key, value and remedy.
 */
public final class ConfigValues {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");

    private final Function<String, Optional<String>> source;
    private final UnaryOperator<String> naming;

    /**
     * @param source the text of a key, if it is set
     * @param naming how a message calls a key
     */
    public ConfigValues(Function<String, Optional<String>> source, UnaryOperator<String> naming) {
        this.source = source;
        this.naming = naming;
    }

    /** The server's configuration. */
    public static ConfigValues ofServer() {
        Config config = ConfigProvider.getConfig();
        return new ConfigValues(key -> config.getOptionalValue(key, String.class), UnaryOperator.identity());
    }

    /** The text of a key without the spaces around it; empty if it is not set or blank. */
    public Optional<String> text(String key) {
        return source.apply(key).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** A whole number, or {@code fallback}, which may be null, if the key is not set. */
    public Integer integer(String key, Integer fallback) {
        return text(key)
                .map(value -> parse(key, value, Integer::valueOf, wholeNumber(value)))
                .orElse(fallback);
    }

    private static String wholeNumber(String value) {
        return WHOLE.matcher(value).matches()
                ? "write a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE
                : "write a whole number";
    }

    /** A number, or {@code fallback}, which may be null, if the key is not set. */
    public Double decimal(String key, Double fallback) {
        return text(key)
                .map(value -> parse(key, value, Double::valueOf, "write a number such as 0.2"))
                .orElse(fallback);
    }

    /** True or false, or {@code fallback} if the key is not set. */
    public boolean flag(String key, boolean fallback) {
        return text(key)
                .map(value -> parse(key, value, ConfigValues::booleanOf, "write true or false"))
                .orElse(fallback);
    }

    /** A duration, or {@code fallback}, which may be null, if the key is not set. */
    public Duration duration(String key, Duration fallback) {
        return text(key)
                .map(value -> parse(
                        key,
                        value,
                        ConfigValues::durationOf,
                        "write a duration such as 500ms, 30s, 2m, 1h, 30d or PT30S"))
                .orElse(fallback);
    }

    private <T> T parse(String key, String value, Function<String, T> parser, String remedy) {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException | DateTimeParseException bad) {
            throw new IllegalArgumentException(naming.apply(key) + " is '" + value + "'; " + remedy);
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
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
