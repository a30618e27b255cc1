package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.store.ConfigValues;
import io.turnframe.outbox.store.DestinationControl;
import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.OutboxReconciliation;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells how the outbox is. */
@ApplicationScoped
public class HealthDesk {
    private static final String MAX_DUE_AGE = "max-due-age";

    private static final Duration LEAST = Duration.ofSeconds(1);

    private static final Duration MOST = Duration.ofDays(365);

    @EJB
    private OutboxQueries queries;

    @EJB
    private OutboxReconciliation reconciliation;

    @EJB
    private DispatchStore store;

    @Inject
    private ReconcileSettings reconcile;

    @Inject
    private DispatchSettings settings;

    @Inject
    private Destinations destinations;

    @Inject
    private Senders senders;

    private Duration longestDue;
    private Map<String, Duration> longestDueOf;

    @PostConstruct
    void read() {
        ConfigValues values = ConfigValues.ofServer();
        longestDue = duration(values, "outbox.health." + MAX_DUE_AGE, Duration.ofMinutes(15));
        longestDueOf = new HashMap<>();
        for (String name : settings.destinations().keySet()) {
            longestDueOf.put(name, duration(values, "outbox.destination." + name + "." + MAX_DUE_AGE, longestDue));
        }
    }

    private static Duration duration(ConfigValues values, String key, Duration fallback) {
        return DispatchSettings.between(key, values.duration(key, fallback), LEAST, MOST);
    }

    /** Whether the database answers; nothing else keeps this node from its work. */
    public boolean isReady() {
        try {
            store.queueState(DestinationScope.ALL);
            return true;
        } catch (OutboxException unavailable) {
            return false;
        }
    }

    /** What needs a person. */
    public Health health() {
        try {
            Set<String> held = destinations.all().stream()
                    .filter(DestinationState::held)
                    .map(DestinationState::name)
                    .collect(Collectors.toSet());
            DestinationControl everything = destinations.everything();
            Set<String> unroutable = senders.unroutable();
            HealthRules rules = new HealthRules(
                    settings.enabled(),
                    everything.held(),
                    held::contains,
                    name -> settings.destinations().containsKey(name) && !unroutable.contains(name),
                    name -> longestDueOf.getOrDefault(name, longestDue));
            return Health.of(rules.problems(queries.stats(), reconciliation.overdue(reconcile.overdueAfter())));
        } catch (OutboxException unavailable) {
            return Health.down();
        }
    }
}
