package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.ConfigValues;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The configuration of the dispatcher, read once when the deployment starts: a bad value fails the deployment with a
 * sentence that names key, value and remedy.
 */
@ApplicationScoped
public class DispatchSettings {
    /** What a run may be told, by job parameters. */
    static final Set<String> PARAMETERS =
            JobParameters.names(DispatchConfig.class, DispatchJobs.LINGER, DispatchJobs.PARTITIONS);

    private static final String PREFIX = "outbox.dispatch.";

    /** Those that the message about another one names. */
    private static final Pattern COMPONENT = Pattern.compile("\\b(sendTimeout|initialBackoff)\\b");

    private static final Duration SHORTEST_TICK = Duration.ofMillis(100);

    private static final int DEFAULT_CLAIM_BYTES = 16 * 1024 * 1024;

    private static final Duration LONGEST_TICK = Duration.ofDays(1);

    private static final Duration LONGEST_LINGER = Duration.ofMinutes(1);

    /** What the statements of a chunk may take: claim, mark, settlement row by row. A database that hangs is given up after it. */
    private static final Duration LONGEST_STATEMENTS = Duration.ofMinutes(1);

    private DispatchConfig config;
    private boolean enabled;
    private Duration tick;
    private Duration linger;
    private int claimBytes;
    private int partitions;
    private JournalMode journal;
    private Map<String, DestinationConfig> destinations;

    @PostConstruct
    void read() {
        read(ConfigValues.ofServer());
    }

    void read(ConfigValues values) {
        enabled = values.flag(PREFIX + "enabled", false);
        tick = between(
                PREFIX + "tick", values.duration(PREFIX + "tick", Duration.ofSeconds(5)), SHORTEST_TICK, LONGEST_TICK);
        linger = linger(PREFIX + "linger", values.duration(PREFIX + "linger", Duration.ofSeconds(1)));
        journal = JournalMode.ofProperty(values.text(JournalMode.KEY).orElse("not-completed"));
        claimBytes = values.integer(PREFIX + "claim-bytes", DEFAULT_CLAIM_BYTES);
        if (claimBytes < 1) {
            throw new IllegalArgumentException(PREFIX + "claim-bytes is " + claimBytes + "; write at least 1");
        }
        partitions = partitions(PREFIX + DispatchJobs.PARTITIONS, values, 1);
        config = dispatchConfig(values, DispatchConfig.defaults(defaultWorkerId()), UnaryOperator.identity());
        destinations = new LinkedHashMap<>();
        for (String name : DestinationNames.read(values)) {
            DestinationConfig destination = DestinationConfig.read(name, values);
            destination.over(config);
            destinations.put(name, destination);
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

    /** Which attempts are journalled. */
    JournalMode journal() {
        return journal;
    }

    /** Payload bytes that a claim takes at most; its first row it takes whatever its size. */
    long claimBytes() {
        return claimBytes;
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
        JobParameters.refuseUnknown(parameters, PARAMETERS);
        ConfigValues given = new ConfigValues(
                key -> Optional.ofNullable(parameters.getProperty(camelCase(key))), DispatchSettings::camelCase);
        DispatchConfig laid = dispatchConfig(given, config, DispatchSettings::camelCase);
        if (laid.claimTimeout().compareTo(config.claimTimeout()) > 0) {
            throw new IllegalArgumentException("claimTimeout is " + laid.claimTimeout() + " but must not exceed "
                    + PREFIX + "claim-timeout " + config.claimTimeout() + ", after which the timer releases a claim");
        }
        destinations.values().forEach(destination -> destination.over(laid));
        return laid;
    }

    /**
     * How long a run that these parameters start waits for more work: not at all unless they say so.
     *
     * @throws IllegalArgumentException naming the parameter, its value and the remedy
     */
    Duration linger(Properties parameters) {
        String value = parameters.getProperty(DispatchJobs.LINGER);
        ConfigValues one = new ConfigValues(key -> Optional.ofNullable(value), UnaryOperator.identity());
        return linger(DispatchJobs.LINGER, one.duration(DispatchJobs.LINGER, Duration.ZERO));
    }

    /**
     * How many runs an execution that these parameters start has.
     *
     * @throws IllegalArgumentException naming the parameter, its value and the remedy
     */
    int partitions(Properties parameters) {
        ConfigValues given =
                new ConfigValues(key -> Optional.ofNullable(parameters.getProperty(key)), UnaryOperator.identity());
        return partitions(DispatchJobs.PARTITIONS, given, partitions);
    }

    /**
     * What one transaction of an execution that these parameters start may take: a chunk, and at its end the wait for what
     * is out.
     */
    Duration chunkTimeout(Properties parameters) {
        DispatchConfig run = config(parameters);
        Duration longestSend = Stream.concat(
                        Stream.of(run), destinations.values().stream().map(destination -> destination.over(run)))
                .map(DispatchConfig::sendTimeout)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return longestSend.plusNanos(DispatchRun.LONGEST_CHUNK).plus(LONGEST_STATEMENTS);
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

    private static DispatchConfig dispatchConfig(
            ConfigValues from, DispatchConfig defaults, UnaryOperator<String> naming) {
        try {
            return new DispatchConfig(
                    from.text(PREFIX + "worker-id").orElse(defaults.workerId()),
                    from.integer(PREFIX + "batch-size", defaults.batchSize()),
                    from.duration(PREFIX + "send-timeout", defaults.sendTimeout()),
                    from.duration(PREFIX + "initial-backoff", defaults.initialBackoff()),
                    from.duration(PREFIX + "max-backoff", defaults.maxBackoff()),
                    from.integer(PREFIX + "backoff-multiplier", defaults.backoffMultiplier()),
                    from.integer(PREFIX + "max-attempts", defaults.maxAttempts()),
                    from.integer(PREFIX + "concurrency", defaults.concurrency()),
                    from.duration(PREFIX + "claim-timeout", defaults.claimTimeout()),
                    from.decimal(PREFIX + "jitter", defaults.jitter()));
        } catch (IllegalArgumentException bad) {
            throw new IllegalArgumentException(named(PREFIX, bad.getMessage(), naming));
        }
    }

    /** A message that starts with a component of the configuration, with the names its reader knows for that and others. */
    static String named(String prefix, String message, UnaryOperator<String> naming) {
        int end = message.indexOf(' ');
        String first = message.substring(0, end);
        if (first.startsWith(prefix)) {
            return message;
        }
        String rest = COMPONENT
                .matcher(message.substring(end))
                .replaceAll(other -> naming.apply(prefix + kebabCase(other.group())));
        return naming.apply(prefix + kebabCase(first)) + rest;
    }

    private static int partitions(String name, ConfigValues from, int absent) {
        int value = from.integer(name, absent);
        if (value < 1 || value > Partitions.MAX) {
            throw new IllegalArgumentException(name + " is " + value + " but must lie between 1 and " + Partitions.MAX);
        }
        return value;
    }

    private static Duration linger(String name, Duration value) {
        return between(name, value, Duration.ZERO, LONGEST_LINGER);
    }

    /** @throws IllegalArgumentException naming the value and its bounds */
    static Duration between(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + value + " but must lie between " + least + " and " + most);
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
    static String camelCase(String key) {
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

    /** {@code batchSize} as {@code batch-size}. */
    private static String kebabCase(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
