package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.ConfigValues;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Reads the whole configuration before any other bean of the module starts: all of them depend on this one. A bad value
 * must fail the deployment before there is a timer. The ticks of a timer wait until the deployment has started, and some
 * servers can neither end nor remove a deployment that failed while they wait.
 */
@Singleton
@Startup
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class SettingsCheck {
    private static final Logger LOG = Logger.getLogger(SettingsCheck.class.getName());

    /** For {@link jakarta.ejb.DependsOn}. */
    static final String NAME = "SettingsCheck";

    @Inject
    private DispatchSettings dispatch;

    @Inject
    private ReconcileSettings reconcile;

    @Inject
    private PurgeSettings purge;

    @Inject
    private HealthSettings health;

    @Inject
    private Senders senders;

    /** A call makes the bean behind the proxy, which then reads. What may be a mistake and need not be is warned of. */
    @PostConstruct
    void read() {
        dispatch.config();
        reconcile.config();
        purge.config();
        health.longestDue("");
        AdminSettings.mayEnqueue(ConfigValues.ofServer());
        AdminSettings.needsSecondPerson(ConfigValues.ofServer());
        senders.warnOfMissing();
        Config config = ConfigProvider.getConfig();
        UnreadKeys.sentences(
                        config.getPropertyNames(),
                        key -> config.getOptionalValue(key, String.class),
                        System.getenv()::containsKey)
                .forEach(LOG::warning);
    }
}
