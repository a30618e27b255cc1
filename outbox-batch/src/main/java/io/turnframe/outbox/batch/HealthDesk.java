package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.OutboxReconciliation;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tells how the outbox is. */
@ApplicationScoped
public class HealthDesk {
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
    private HealthSettings health;

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
            Map<String, DestinationState> states =
                    destinations.all().stream().collect(Collectors.toMap(DestinationState::name, Function.identity()));
            HealthRules rules = new HealthRules(
                    settings.enabled(),
                    destinations.everything().held(),
                    name -> states.containsKey(name) && states.get(name).held(),
                    name -> states.containsKey(name) && states.get(name).routable(),
                    health::longestDue);
            return Health.of(rules.problems(queries.stats(), reconciliation.overdue(reconcile.overdueAfter())));
        } catch (OutboxException unavailable) {
            return Health.down();
        }
    }
}
