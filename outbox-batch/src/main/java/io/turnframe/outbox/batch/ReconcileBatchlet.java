package io.turnframe.outbox.batch;

import jakarta.batch.api.AbstractBatchlet;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** The one step of the reconcile job. Its exit status is the job's: one line of counts. */
@Named("outboxReconcileBatchlet")
@Dependent
public class ReconcileBatchlet extends AbstractBatchlet {
    @Inject
    private JobContext job;

    @Inject
    private ReconcileSettings settings;

    @Inject
    private ReconcileTools tools;

    @Inject
    private ReconcileRuns runs;

    @Inject
    private ExecutionPurge executionPurge;

    private volatile ReconcileRun run;
    private volatile boolean stopped;

    @Override
    public String process() {
        run = new ReconcileRun(tools.parts(), JobParameters.read(job, ReconcileSettings.PARAMETERS, settings::config));
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
        ReconcileRun going = run;
        if (going != null) {
            going.stop();
        }
    }
}
