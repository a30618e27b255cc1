package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.OutboxPurge;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.batch.runtime.context.JobContext;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** The one step of the purge job. Its exit status is the job's: one line of counts. */
@Named("outboxPurgeBatchlet")
@Dependent
public class PurgeBatchlet extends AbstractBatchlet {
    @Inject
    private JobContext job;

    @Inject
    private PurgeSettings settings;

    @Inject
    private PurgeRuns runs;

    @Inject
    private ExecutionPurge executionPurge;

    @EJB
    private OutboxPurge store;

    private volatile PurgeRun run;
    private volatile boolean stopped;

    @Override
    public String process() {
        run = new PurgeRun(store, JobParameters.read(job, PurgeSettings.PARAMETERS, settings::config));
        runs.enter(run);
        try {
            if (stopped) {
                run.stop();
            }
            String report = run.run().toString();
            job.setExitStatus(report);
            return report;
        } finally {
            runs.leave(run);
            executionPurge.ending(job);
        }
    }

    /** May come before {@link #process}, from another thread. */
    @Override
    public void stop() {
        stopped = true;
        PurgeRun going = run;
        if (going != null) {
            going.stop();
        }
    }
}
