package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.StoreConfig;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** Says once, when the deployment has started, what is in force. */
@Singleton
@Startup
@DependsOn(SettingsCheck.NAME)
public class StartupSummary {
    private static final Logger LOG = Logger.getLogger("io.turnframe.outbox");

    @Inject
    private StoreConfig store;

    @Inject
    private DispatchSettings settings;

    @Inject
    private ReconcileSettings reconcile;

    @PostConstruct
    void log() {
        DispatchConfig config = settings.config();
        String version = StartupSummary.class.getPackage().getImplementationVersion();
        String routes = settings.destinations().isEmpty()
                ? "none (set outbox.destinations)"
                : settings.destinations().values().stream()
                        .map(DestinationConfig::toString)
                        .collect(Collectors.joining(", "));
        LOG.log(Level.INFO, """
                Turnframe Outbox {0} on {1}, schema {2}
                  dispatch {3}, worker {4}
                  routes   {5}
                  batch {6}, concurrency {7}, send timeout {8}, claim timeout {9}, attempts {10}, back-off {11} to {12}
                  reconcile {13}""", new Object[] {
            version == null ? "(development)" : version,
            store.database().label(),
            store.schemaMode().name().toLowerCase(Locale.ROOT),
            settings.enabled() ? "on, tick " + settings.tick() : "off (set outbox.dispatch.enabled=true)",
            config.workerId(),
            routes,
            config.batchSize(),
            config.concurrency(),
            config.sendTimeout(),
            config.claimTimeout(),
            config.maxAttempts(),
            config.initialBackoff(),
            config.maxBackoff(),
            settings.enabled() && reconcile.enabled()
                    ? "on, every " + reconcile.interval() + ", settling time "
                            + reconcile.config().settlingTime()
                    : "off"
        });
    }
}
