package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.DispatchStore;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.batch.runtime.BatchStatus;
import jakarta.batch.runtime.context.JobContext;
import jakarta.batch.runtime.context.StepContext;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.util.Properties;

/** Claims. Holds the run, which the other parts of the step find through the step context. */
@Named("outboxDispatchReader")
@Dependent
public class DispatchReader extends AbstractItemReader {
    @Inject
    private JobContext job;

    @Inject
    private StepContext step;

    @Inject
    private DispatchSettings settings;

    @Inject
    private Senders senders;

    @Inject
    private SendSlots slots;

    @Inject
    private NodeRuns runs;

    @Inject
    private SendExecutor executor;

    @Inject
    private WakeUp wakeUp;

    @EJB
    private DispatchStore store;

    @EJB
    private DispatchTimer timer;

    private DispatchRun run;

    @Override
    public void open(Serializable checkpoint) {
        Properties parameters = job.getProperties();
        DispatchConfig config = settings.config(parameters);
        run = new DispatchRun(
                new DispatchRun.Parts(
                        store,
                        senders,
                        slots,
                        runs,
                        executor,
                        this::isStopping,
                        System::nanoTime,
                        settings.claimBytes(),
                        settings.journal(),
                        timer::retryIn),
                config,
                settings.linger(parameters));
        step.setTransientUserData(run);
    }

    @Override
    public Object readItem() {
        return run.next();
    }

    @Override
    public void close() {
        if (run == null) {
            return;
        }
        boolean more = run.isTooOld();
        job.setExitStatus(run.close().toString());
        if (more) {
            wakeUp.wake();
        } else {
            timer.planNext();
        }
    }

    private boolean isStopping() {
        return job.getBatchStatus() == BatchStatus.STOPPING || step.getBatchStatus() == BatchStatus.STOPPING;
    }
}
