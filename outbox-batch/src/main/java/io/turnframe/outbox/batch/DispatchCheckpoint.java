package io.turnframe.outbox.batch;

import jakarta.batch.api.chunk.AbstractCheckpointAlgorithm;
import jakarta.batch.runtime.context.StepContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Ends the chunk when the run says so, not by a count of items. */
@Named("outboxDispatchCheckpoint")
@Dependent
public class DispatchCheckpoint extends AbstractCheckpointAlgorithm {
    @Inject
    private StepContext step;

    @Override
    public boolean isReadyToCheckpoint() {
        return ((DispatchRun) step.getTransientUserData()).chunkEnds();
    }
}
