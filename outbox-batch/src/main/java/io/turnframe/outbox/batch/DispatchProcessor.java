package io.turnframe.outbox.batch;

import jakarta.batch.api.chunk.ItemProcessor;
import jakarta.batch.runtime.context.StepContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Starts a send. Never throws: an exception would fail the job with rows sent and not settled. */
@Named("outboxDispatchProcessor")
@Dependent
public class DispatchProcessor implements ItemProcessor {
    @Inject
    private StepContext step;

    @Override
    public Object processItem(Object item) {
        if (item instanceof Send send) {
            ((DispatchRun) step.getTransientUserData()).start(send);
        }
        return item;
    }
}
