package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.EntriesEnqueued;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Brings work to a run: one that listens, or else a new one, started on a managed thread. */
@ApplicationScoped
public class WakeUp {
    private static final Logger LOG = Logger.getLogger(WakeUp.class.getName());

    @Inject
    private DispatchSettings settings;

    @Inject
    private NodeRuns runs;

    @EJB
    private DispatchJobs jobs;

    @Resource
    private ManagedExecutorService executor;

    /** After the commit, on the business thread: it only hands over. */
    void onEnqueued(@Observes(during = TransactionPhase.AFTER_SUCCESS) EntriesEnqueued committed) {
        wake();
    }

    /** Makes sure that a run of this node looks for work, if dispatch is on. Never throws: the timer looks again. */
    void wake() {
        if (!settings.enabled() || !runs.wake()) {
            return;
        }
        try {
            executor.execute(this::start);
        } catch (RuntimeException | Error noThread) {
            runs.startFailed();
            LOG.log(Level.FINE, "no thread to start the dispatch job; the timer tries again", noThread);
        }
    }

    private void start() {
        try {
            Properties parameters = new Properties();
            parameters.setProperty(DispatchJobs.LINGER, settings.linger().toString());
            jobs.startDispatch(parameters);
        } catch (RuntimeException failure) {
            runs.startFailed();
            LOG.log(Level.WARNING, "the dispatch job did not start; the timer tries again", failure);
        }
    }
}
