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
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Claims. Holds the runs, of which the other parts of the step find the first through the step context. */
@Named("outboxDispatchReader")
@Dependent
public class DispatchReader extends AbstractItemReader {
    private static final Logger LOG = Logger.getLogger(DispatchReader.class.getName());

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
    private Controls controls;

    @Inject
    private Breakers breakers;

    @Inject
    private NodeRuns runs;

    @Inject
    private SendExecutor executor;

    @Inject
    private WakeUp wakeUp;

    @Inject
    private Observers observers;

    @Inject
    private ExecutionPurge executionPurge;

    @EJB
    private DispatchStore store;

    @EJB
    private SendTransaction transaction;

    @EJB
    private DispatchTimer timer;

    private Partitions partitions;

    @Override
    public void open(Serializable checkpoint) {
        partitions = JobParameters.read(job, DispatchSettings.PARAMETERS, this::partitions);
        runs.begin(job.getExecutionId(), partitions);
        step.setTransientUserData(partitions.first());
    }

    private Partitions partitions(Properties parameters) {
        DispatchConfig config = settings.config(parameters);
        return new Partitions(
                new RunParts(
                        store,
                        senders,
                        slots,
                        controls,
                        breakers,
                        runs,
                        new Siblings(),
                        observers,
                        executor,
                        transaction,
                        this::isStopping,
                        System::nanoTime,
                        settings.claimBytes(),
                        settings.journal(),
                        this::retryIn),
                config,
                settings.linger(parameters),
                settings.partitions(parameters));
    }

    @Override
    public Object readItem() {
        return partitions.next();
    }

    @Override
    public void close() {
        if (partitions == null) {
            return;
        }
        boolean more = partitions.isTooOld();
        job.setExitStatus(partitions.close().toString());
        runs.end(job.getExecutionId());
        if (more || partitions.missedWakeUp()) {
            wakeUp.wake();
        } else {
            whileDeployed(timer::planNext);
        }
        executionPurge.ending(job);
    }

    private void retryIn(Duration delay) {
        whileDeployed(() -> timer.retryIn(delay));
    }

    /** An undeployment stops the timer before the last run has ended; the ticks of the next deployment look again. */
    private static void whileDeployed(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException stopped) {
            LOG.log(Level.FINE, "the timer is gone: the deployment is being stopped", stopped);
        }
    }

    private boolean isStopping() {
        return job.getBatchStatus() == BatchStatus.STOPPING || step.getBatchStatus() == BatchStatus.STOPPING;
    }
}
