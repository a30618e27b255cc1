package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DispatchStore;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends the runs of this node before the beans they use are gone: what is unsent goes back, what is out gets a moment to
 * answer. Without it an undeployment would leave both to the release of abandoned claims.
 */
@Singleton
@Startup
@DependsOn(SettingsCheck.NAME)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Shutdown {
    private static final Duration LONGEST_GRACE = Duration.ofSeconds(10);

    private static final Duration LAST_WRITE = Duration.ofMillis(200);

    @Inject
    private NodeRuns runs;

    @Inject
    private DispatchSettings settings;

    /** Keeps the store alive until this bean has ended. */
    @EJB
    private DispatchStore store;

    private Duration grace;

    /** Reads what {@link #end} needs: a deployment that failed for its configuration must not fail again at its end. */
    @PostConstruct
    void begin() {
        Duration timeout = settings.config().sendTimeout();
        grace = timeout.compareTo(LONGEST_GRACE) < 0 ? timeout : LONGEST_GRACE;
    }

    @PreDestroy
    void end() {
        boolean ran = runs.shutDown(grace);
        if (!ran) {
            return;
        }
        // A job writes its end to the repository after its last step; on some servers nobody can be asked any more
        // whether it has.
        LockSupport.parkNanos(LAST_WRITE.toNanos());
    }
}
