package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.OutboxReconciliation;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Gathers what asking works with. */
@ApplicationScoped
public class ReconcileTools {
    @Inject
    private DispatchSettings settings;

    @Inject
    private Reconcilers reconcilers;

    @Inject
    private ReconcileRuns runs;

    @Inject
    private SendExecutor executor;

    @Inject
    private WakeUp wakeUp;

    @Inject
    private Observers observers;

    @EJB
    private OutboxReconciliation store;

    ReconcileParts parts() {
        return new ReconcileParts(
                store,
                reconcilers::available,
                reconcilers::find,
                runs.slots(),
                executor::submit,
                settings.claimBytes(),
                settings.config().workerId(),
                System::nanoTime,
                wakeUp::wake,
                observers::reconciled);
    }
}
