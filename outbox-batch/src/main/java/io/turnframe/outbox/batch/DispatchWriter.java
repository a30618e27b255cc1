package io.turnframe.outbox.batch;

import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.batch.runtime.context.StepContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Settles what has answered, in transactions of the store's own. Never throws. */
@Named("outboxDispatchWriter")
@Dependent
public class DispatchWriter extends AbstractItemWriter {
    @Inject
    private StepContext step;

    @Override
    public void writeItems(List<Object> items) {
        ((DispatchRun) step.getTransientUserData()).settle();
    }
}
