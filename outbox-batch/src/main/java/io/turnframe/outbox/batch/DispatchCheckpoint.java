package io.turnframe.outbox.batch;

import jakarta.batch.api.chunk.AbstractCheckpointAlgorithm;
import jakarta.batch.runtime.context.JobContext;
import jakarta.batch.runtime.context.StepContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Ends the chunk when the run says so, not by a count of items. */
@Named("outboxDispatchCheckpoint")
@Dependent
public class DispatchCheckpoint extends AbstractCheckpointAlgorithm {
    @Inject
    private JobContext job;

    @Inject
    private StepContext step;

    @Inject
    private DispatchSettings settings;

    private int timeout;

    /** Where a step has a checkpoint algorithm, this is the timeout of its chunks, and not the step's property. */
    @Override
    public int checkpointTimeout() {
        if (timeout == 0) {
            timeout = Math.toIntExact(JobParameters.read(job, DispatchSettings.PARAMETERS, settings::chunkTimeout)
                    .toSeconds());
        }
        return timeout;
    }

    @Override
    public boolean isReadyToCheckpoint() {
        return ((DispatchRun) step.getTransientUserData()).chunkEnds();
    }
}
