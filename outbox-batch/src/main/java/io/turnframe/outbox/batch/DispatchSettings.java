package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The configuration of the dispatcher, read once when the deployment starts: a bad value fails the deployment with a
 * sentence that names key, value and remedy.
 */
@ApplicationScoped
public class DispatchSettings {
    private static final String PREFIX = "outbox.dispatch.";

    private static final Duration SHORTEST_TICK = Duration.ofMillis(100);

    private final String workerId = defaultWorkerId();

    private DispatchConfig config;
    private boolean enabled;
    private Duration tick;
    private Duration linger;
    private Map<String, DestinationConfig> destinations;

    @PostConstruct
    void read() {
        Config source = ConfigProvider.getConfig();
        ConfigValues values = new ConfigValues(key -> source.getOptionalValue(key, String.class));
        enabled = values.flag(PREFIX + "enabled", false);
        tick = atLeast(PREFIX + "tick", values.duration(PREFIX + "tick", Duration.ofSeconds(5)), SHORTEST_TICK);
        linger = values.duration(PREFIX + "linger", Duration.ofSeconds(1));
        config = dispatchConfig(values);
        destinations = new LinkedHashMap<>();
        for (String name : values.text("outbox.destinations").orElse("").split(",")) {
            if (!name.isBlank()) {
                destinations.put(name.strip(), DestinationConfig.read(name.strip(), values, config.concurrency()));
            }
        }
    }

    /** Whether the timer and the wake-up start the job by themselves. */
    public boolean enabled() {
        return enabled;
    }

    /** How often the timer looks. */
    Duration tick() {
        return tick;
    }

    /** How long a run that the timer or the wake-up started waits for more before it ends. */
    Duration linger() {
        return linger;
    }

    /** How the dispatcher works. */
    public DispatchConfig config() {
        return config;
    }

    /**
     * How one run works: {@link #config()} with the job parameters laid over it. A parameter has the name of the key's last
     * part in camel case, as {@code batchSize}.
     *
     * @throws IllegalArgumentException naming the parameter, its value and the remedy
     */
    DispatchConfig config(Properties parameters) {
        Config source = ConfigProvider.getConfig();
        return dispatchConfig(new ConfigValues(key -> {
            Optional<String> parameter =
                    Optional.ofNullable(parameters.getProperty(camelCase(key))).filter(value -> !value.isBlank());
            return parameter.isPresent() ? parameter : source.getOptionalValue(key, String.class);
        }));
    }

    /** The configured destinations by name, in the order of {@code outbox.destinations}. */
    Map<String, DestinationConfig> destinations() {
        return destinations;
    }

    /** The names of the destinations that deduplicate by key. */
    Set<String> deduplicating() {
        return destinations.values().stream()
                .filter(DestinationConfig::deduplicates)
                .map(DestinationConfig::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private DispatchConfig dispatchConfig(ConfigValues values) {
        DispatchConfig defaults = DispatchConfig.defaults(workerId);
        try {
            return new DispatchConfig(
                    values.text(PREFIX + "worker-id").orElse(defaults.workerId()),
                    values.integer(PREFIX + "batch-size", defaults.batchSize()),
                    values.duration(PREFIX + "send-timeout", defaults.sendTimeout()),
                    values.duration(PREFIX + "initial-backoff", defaults.initialBackoff()),
                    values.duration(PREFIX + "max-backoff", defaults.maxBackoff()),
                    values.integer(PREFIX + "backoff-multiplier", defaults.backoffMultiplier()),
                    values.integer(PREFIX + "max-attempts", defaults.maxAttempts()),
                    values.integer(PREFIX + "concurrency", defaults.concurrency()),
                    values.duration(PREFIX + "claim-timeout", defaults.claimTimeout()),
                    values.decimal(PREFIX + "jitter", defaults.jitter()));
        } catch (IllegalArgumentException bad) {
            if (bad.getMessage().startsWith(PREFIX)) {
                throw bad;
            }
            throw new IllegalArgumentException(PREFIX + kebabCase(bad.getMessage()), bad);
        }
    }

    private static Duration atLeast(String key, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(key + " is " + value + " but must be at least " + least);
        }
        return value;
    }

    /** Distinct for each start of each node, although host names repeat. */
    private static String defaultWorkerId() {
        String suffix = UUID.randomUUID().toString().substring(0, 8);
        try {
            String host = InetAddress.getLocalHost().getHostName();
            return host.substring(0, Math.min(host.length(), 100)) + "/" + suffix;
        } catch (UnknownHostException nameless) {
            return "node/" + suffix;
        }
    }

    /** {@code outbox.dispatch.batch-size} as {@code batchSize}. */
    private static String camelCase(String key) {
        StringBuilder name = new StringBuilder();
        boolean upper = false;
        for (char c : key.substring(key.lastIndexOf('.') + 1).toCharArray()) {
            if (c == '-') {
                upper = true;
            } else {
                name.append(upper ? Character.toUpperCase(c) : c);
                upper = false;
            }
        }
        return name.toString();
    }

    /** The component a message starts with, as the last part of its key. */
    private static String kebabCase(String message) {
        int end = message.indexOf(' ');
        return message.substring(0, end).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + message.substring(end);
    }
}
