package io.turnframe.outbox.batch;

import io.turnframe.outbox.batch.http.HttpQuestion;
import io.turnframe.outbox.store.ConfigValues;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The configuration of reconciliation, read once when the deployment starts: a bad value fails the deployment with a
 * sentence that names key, value and remedy.
 */
@ApplicationScoped
public class ReconcileSettings {
    /** What a run may be told, by job parameters. */
    static final Set<String> PARAMETERS = JobParameters.names(ReconcileConfig.class);

    private static final String PREFIX = "outbox.reconcile.";

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);

    @Inject
    private DispatchSettings dispatch;

    private ReconcileConfig config;
    private boolean enabled;
    private Duration interval;
    private Map<String, String> reconcilers;
    private Map<String, HttpQuestion> questions;

    @PostConstruct
    void read() {
        read(ConfigValues.ofServer(), dispatch.destinations().keySet());
    }

    void read(ConfigValues values, Collection<String> destinations) {
        enabled = values.flag(PREFIX + "enabled", true);
        interval = DispatchSettings.between(
                PREFIX + "interval",
                values.duration(PREFIX + "interval", Duration.ofMinutes(1)),
                SHORTEST_INTERVAL,
                LONGEST_INTERVAL);
        config = config(values, ReconcileConfig.DEFAULTS, UnaryOperator.identity());
        reconcilers = new LinkedHashMap<>();
        questions = new LinkedHashMap<>();
        for (String destination : destinations) {
            readReconciler(destination, values);
        }
    }

    private void readReconciler(String destination, ConfigValues values) {
        String key = reconcilerKey(destination);
        String prefix = "outbox.destination." + destination + ".";
        Optional<String> url = values.text(prefix + "reconcile-url");
        String name = values.text(key).orElse(url.isPresent() ? DestinationConfig.HTTP : null);
        boolean http = DestinationConfig.HTTP.equals(name);
        if (name != null && !http && !name.startsWith("java:")) {
            throw new IllegalArgumentException(key + " is '" + name + "'; write http, or the java: name of an EJB");
        }
        if (http && url.isEmpty()) {
            throw new IllegalArgumentException(prefix + "reconcile-url is not set; an http reconciler needs it");
        }
        reconcilers.put(destination, name);
        if (http) {
            questions.put(destination, HttpQuestion.read(prefix, url.get(), values));
        }
    }

    static String reconcilerKey(String destination) {
        return "outbox.destination." + destination + ".reconciler";
    }

    /** Whether the timer starts sweeps by itself; it must be on for the dispatch too. */
    boolean enabled() {
        return enabled;
    }

    /** How often the timer looks. */
    Duration interval() {
        return interval;
    }

    /** How the destinations are asked that are asked over HTTP. */
    Map<String, HttpQuestion> questions() {
        return questions;
    }

    /** Each configured destination with {@code http}, the JNDI name of its reconciler, or null for the CDI bean of that name. */
    Map<String, String> reconcilers() {
        return reconcilers;
    }

    /** The age at which an unknown outcome is shown as overdue. */
    public Duration overdueAfter() {
        return config.overdueAfter();
    }

    /** How remotes are asked. */
    ReconcileConfig config() {
        return config;
    }

    /**
     * How one run asks: {@link #config()} with the job parameters laid over it. A parameter has the name of the key's last
     * part in camel case, as {@code settlingTime}.
     *
     * @throws IllegalArgumentException naming the parameter, its value and the remedy
     */
    ReconcileConfig config(Properties parameters) {
        JobParameters.refuseUnknown(parameters, PARAMETERS);
        ConfigValues given = new ConfigValues(
                key -> Optional.ofNullable(parameters.getProperty(DispatchSettings.camelCase(key))),
                DispatchSettings::camelCase);
        ReconcileConfig laid = config(given, config, DispatchSettings::camelCase);
        if (laid.settlingTime().compareTo(config.settlingTime()) < 0) {
            throw new IllegalArgumentException("settlingTime is " + laid.settlingTime()
                    + " but must not be shorter than " + PREFIX + "settling-time " + config.settlingTime()
                    + ", for a request may still be on its way");
        }
        return laid;
    }

    private static ReconcileConfig config(ConfigValues from, ReconcileConfig defaults, UnaryOperator<String> naming) {
        Duration timeout = from.duration(PREFIX + "timeout", defaults.timeout());
        Duration settlingTime = from.duration(PREFIX + "settling-time", defaults.settlingTime());
        Duration overdueAfter = from.duration(PREFIX + "overdue-after", defaults.overdueAfter());
        Duration initialBackoff = from.duration(PREFIX + "initial-backoff", defaults.initialBackoff());
        Duration maxBackoff = from.duration(PREFIX + "max-backoff", defaults.maxBackoff());
        int concurrency = from.integer(PREFIX + "concurrency", defaults.concurrency());
        try {
            return new ReconcileConfig(timeout, settlingTime, overdueAfter, initialBackoff, maxBackoff, concurrency);
        } catch (IllegalArgumentException bad) {
            throw new IllegalArgumentException(DispatchSettings.named(PREFIX, bad.getMessage(), naming));
        }
    }
}
