package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.ConfigValues;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The configuration of the purge, read once when the deployment starts: a bad value fails the deployment with a sentence
 * that names key, value and remedy.
 */
@ApplicationScoped
public class PurgeSettings {
    /** What a run may be told, by job parameters. */
    static final Set<String> PARAMETERS = JobParameters.names(PurgeConfig.class);

    private static final String PREFIX = "outbox.purge.";

    private static final Duration SHORTEST_INTERVAL = Duration.ofMinutes(1);

    private static final Duration LONGEST_INTERVAL = Duration.ofDays(30);

    private PurgeConfig config;
    private Duration interval;

    @PostConstruct
    void read() {
        read(ConfigValues.ofServer());
    }

    void read(ConfigValues values) {
        config = purgeConfig(values, new PurgeConfig(null, null, 1_000), UnaryOperator.identity());
        interval = DispatchSettings.between(
                PREFIX + "interval",
                values.duration(PREFIX + "interval", Duration.ofHours(1)),
                SHORTEST_INTERVAL,
                LONGEST_INTERVAL);
    }

    /** What the purge removes; nothing unless the deployer says how long entries are kept. */
    PurgeConfig config() {
        return config;
    }

    /** How often the timer looks. */
    Duration interval() {
        return interval;
    }

    /**
     * What one run removes: {@link #config()} with the job parameters laid over it, {@code completedAfter},
     * {@code failedAfter} and {@code batchSize}.
     *
     * @throws IllegalArgumentException naming the parameter, its value and the remedy
     */
    PurgeConfig config(Properties parameters) {
        JobParameters.refuseUnknown(parameters, PARAMETERS);
        ConfigValues given = new ConfigValues(
                key -> Optional.ofNullable(parameters.getProperty(DispatchSettings.camelCase(key))),
                DispatchSettings::camelCase);
        PurgeConfig laid = purgeConfig(given, config, DispatchSettings::camelCase);
        if (!laid.removesAnything()) {
            throw new IllegalArgumentException("nothing says how long entries are kept; give completedAfter or"
                    + " failedAfter, such as 30d, or set " + PREFIX + "completed-after or " + PREFIX + "failed-after");
        }
        return laid;
    }

    private static PurgeConfig purgeConfig(ConfigValues from, PurgeConfig defaults, UnaryOperator<String> naming) {
        Duration completedAfter = from.duration(PREFIX + "completed-after", defaults.completedAfter());
        Duration failedAfter = from.duration(PREFIX + "failed-after", defaults.failedAfter());
        int batchSize = from.integer(PREFIX + "batch-size", defaults.batchSize());
        try {
            return new PurgeConfig(completedAfter, failedAfter, batchSize);
        } catch (IllegalArgumentException bad) {
            throw new IllegalArgumentException(DispatchSettings.named(PREFIX, bad.getMessage(), naming));
        }
    }
}
