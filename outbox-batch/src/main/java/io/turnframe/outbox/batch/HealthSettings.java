package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.ConfigValues;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** From when on an entry has been due for too long; read once when the deployment starts. */
@ApplicationScoped
public class HealthSettings {
    private static final String MAX_DUE_AGE = "max-due-age";

    private static final Duration LEAST = Duration.ofSeconds(1);

    private static final Duration MOST = Duration.ofDays(365);

    @Inject
    private DispatchSettings dispatch;

    private Duration longest;
    private Map<String, Duration> longestOf;

    @PostConstruct
    void read() {
        read(ConfigValues.ofServer(), dispatch.destinations().keySet());
    }

    void read(ConfigValues values, Set<String> destinations) {
        longest = duration(values, "outbox.health." + MAX_DUE_AGE, Duration.ofMinutes(15));
        longestOf = new HashMap<>();
        for (String name : destinations) {
            longestOf.put(name, duration(values, "outbox.destination." + name + "." + MAX_DUE_AGE, longest));
        }
    }

    private static Duration duration(ConfigValues values, String key, Duration fallback) {
        return DispatchSettings.between(key, values.duration(key, fallback), LEAST, MOST);
    }

    /** How long an entry to this destination may be due; that of all where nothing is said of it. */
    Duration longestDue(String destination) {
        return longestOf.getOrDefault(destination, longest);
    }
}
