package io.turnframe.outbox.batch;

import io.turnframe.outbox.InvalidRecordException;
import jakarta.batch.operations.JobOperator;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.inject.Inject;
import java.util.Properties;

/**
 * Starts and stops the jobs. Every start goes through here: some servers tie an execution to the component that started
 * it. Outside transactions, since a start in one races its own row in the job repository.
 */
// The executor of the sends is a definition of our own: the server's default one sizes itself by the processors and
// queues the rest, and a queued send is one whose deadline runs. It stands on an EJB since not every server reads the
// annotation on other beans.
@ManagedExecutorDefinition(name = SendExecutor.NAME, maxAsync = SendExecutor.THREADS)
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class DispatchJobs {
    /** The name of the dispatch job, as the server's console lists it. */
    public static final String DISPATCH = "outbox-dispatch";

    /** The name of the purge job. */
    public static final String PURGE = "outbox-purge";

    /** The name of the reconcile job. */
    public static final String RECONCILE = "outbox-reconcile";

    /** The job parameter with how long a run waits for more work before it ends. */
    static final String LINGER = "linger";

    /** The job parameter with how many runs share the work of an execution. */
    public static final String PARTITIONS = "partitions";

    @Inject
    private DispatchSettings settings;

    @Inject
    private PurgeSettings purgeSettings;

    @Inject
    private ReconcileSettings reconcileSettings;

    /**
     * Starts a run that sends what is due and ends.
     *
     * @param overrides job parameters laid over the configuration, as {@code batchSize}; may be empty
     * @return the execution id
     * @throws InvalidRecordException naming a parameter, its value and the remedy; nothing is started
     */
    public long startDispatch(Properties overrides) {
        try {
            settings.config(overrides);
            settings.linger(overrides);
            settings.partitions(overrides);
        } catch (IllegalArgumentException bad) {
            throw new InvalidRecordException(bad.getMessage());
        }
        JobOperator operator = BatchRuntime.getJobOperator();
        return operator.start(DISPATCH, overrides);
    }

    /**
     * Starts a run that removes entries which ended long ago.
     *
     * @param overrides job parameters laid over the configuration, as {@code completedAfter}; may be empty
     * @return the execution id
     * @throws InvalidRecordException naming a parameter, its value and the remedy, also when neither they nor the
     *     configuration say how long entries are kept; nothing is started
     */
    public long startPurge(Properties overrides) {
        try {
            purgeSettings.config(overrides);
        } catch (IllegalArgumentException bad) {
            throw new InvalidRecordException(bad.getMessage());
        }
        JobOperator operator = BatchRuntime.getJobOperator();
        return operator.start(PURGE, overrides);
    }

    /**
     * Starts a run that asks the remotes about entries whose outcome is unknown, as far as they are due to be asked about.
     *
     * @param overrides job parameters laid over the configuration, as {@code concurrency}; may be empty
     * @return the execution id
     * @throws InvalidRecordException naming a parameter, its value and the remedy; nothing is started
     */
    public long startReconcile(Properties overrides) {
        try {
            reconcileSettings.config(overrides);
        } catch (IllegalArgumentException bad) {
            throw new InvalidRecordException(bad.getMessage());
        }
        JobOperator operator = BatchRuntime.getJobOperator();
        return operator.start(RECONCILE, overrides);
    }
}
