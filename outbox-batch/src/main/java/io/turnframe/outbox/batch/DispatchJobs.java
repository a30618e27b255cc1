package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchReport;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.AuditedAct;
import io.turnframe.outbox.store.OutboxOperations;
import jakarta.batch.operations.JobExecutionNotRunningException;
import jakarta.batch.operations.JobOperator;
import jakarta.batch.operations.JobSecurityException;
import jakarta.batch.operations.NoSuchJobException;
import jakarta.batch.operations.NoSuchJobExecutionException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.JobExecution;
import jakarta.batch.runtime.JobInstance;
import jakarta.ejb.EJB;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.inject.Inject;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts, shows and stops the jobs. All of that goes through here: some servers tie an execution to the component that
 * started it. Outside transactions, since a start in one races its own row in the job repository.
 */
// The executor of the sends is a definition of our own: the server's default one sizes itself by the processors and
// queues the rest, and a queued send is one whose deadline runs. It stands on an EJB since not every server reads the
// annotation on other beans.
@ManagedExecutorDefinition(name = SendExecutor.NAME, maxAsync = SendExecutor.THREADS)
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class DispatchJobs {
    private static final Logger LOG = Logger.getLogger(DispatchJobs.class.getName());

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

    /** All of ours. */
    static final Set<String> NAMES = Set.of(DISPATCH, PURGE, RECONCILE);

    @Inject
    private DispatchSettings settings;

    @Inject
    private PurgeSettings purgeSettings;

    @Inject
    private ReconcileSettings reconcileSettings;

    @Inject
    private NodeRuns runs;

    @EJB
    private OutboxOperations operations;

    /**
     * Starts a run that sends what is due and ends.
     *
     * @param overrides job parameters laid over the configuration, as {@code batchSize}; may be empty
     * @return the execution id
     * @throws InvalidRecordException naming a parameter, its value and the remedy; nothing is started
     */
    public long startDispatch(Properties overrides) {
        check(overrides);
        return start(overrides);
    }

    private static long start(Properties overrides) {
        return BatchRuntime.getJobOperator().start(DISPATCH, overrides);
    }

    /**
     * The same for an operator; that he asked for it is put on record first.
     *
     * @throws InvalidRecordException as above
     */
    public long startDispatch(Properties overrides, Act act) {
        check(overrides);
        operations.record(AuditedAct.DISPATCH, written(overrides), act);
        return start(overrides);
    }

    /** In the order of their names; null for none. */
    private static String written(Properties overrides) {
        return overrides.isEmpty()
                ? null
                : overrides.stringPropertyNames().stream()
                        .sorted()
                        .map(name -> name + "=" + overrides.getProperty(name))
                        .collect(Collectors.joining(" "));
    }

    private void check(Properties overrides) {
        try {
            settings.config(overrides);
            settings.linger(overrides);
            settings.partitions(overrides);
        } catch (IllegalArgumentException bad) {
            throw new InvalidRecordException(bad.getMessage());
        }
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

    /**
     * What a dispatch run has done: all of it once it has ended; before, what is known on this node so far.
     *
     * @throws OutboxException {@link OutboxException#UNKNOWN_EXECUTION} if there is no such execution of the dispatch job
     */
    public DispatchReport report(long executionId) {
        JobExecution execution = execution(executionId);
        if (!DISPATCH.equals(execution.getJobName())) {
            throw unknown(executionId, DISPATCH, null);
        }
        return report(execution);
    }

    /**
     * One execution of one of our jobs.
     *
     * @throws OutboxException {@link OutboxException#UNKNOWN_EXECUTION} if there is none
     */
    public JobRun status(long executionId) {
        return jobRun(execution(executionId));
    }

    /**
     * The executions that the job repository still has, the newest first.
     *
     * @param limit of them, at most
     */
    public List<JobRun> latest(int limit) {
        JobOperator operator = BatchRuntime.getJobOperator();
        return NAMES.stream()
                .flatMap(job -> instances(operator, job, limit))
                .flatMap(instance -> operator.getJobExecutions(instance).stream())
                .sorted(Comparator.comparingLong(JobExecution::getExecutionId).reversed())
                .limit(limit)
                .map(this::jobRun)
                .toList();
    }

    /**
     * Asks an execution to end: it claims no more, gives back what is unsent, and settles what is out. One that has ended is
     * left alone. That the operator asked for it is put on record first.
     *
     * @return the execution; it may still be going
     * @throws OutboxException {@link OutboxException#UNKNOWN_EXECUTION} if there is none
     */
    public JobRun stop(long executionId, Act act) {
        JobExecution execution = execution(executionId);
        operations.record(AuditedAct.STOP, "job=" + execution.getJobName() + " execution=" + executionId, act);
        try {
            BatchRuntime.getJobOperator().stop(executionId);
        } catch (JobExecutionNotRunningException ended) {
            LOG.log(Level.FINE, "nothing to stop", ended);
        }
        return status(executionId);
    }

    private JobExecution execution(long executionId) {
        try {
            JobExecution execution = BatchRuntime.getJobOperator().getJobExecution(executionId);
            if (execution != null && NAMES.contains(execution.getJobName())) {
                return execution;
            }
        } catch (NoSuchJobExecutionException | JobSecurityException notOurs) {
            throw unknown(executionId, "one of our jobs", notOurs);
        }
        throw unknown(executionId, "one of our jobs", null);
    }

    private static OutboxException unknown(long executionId, String job, Exception cause) {
        return new OutboxException(
                OutboxException.UNKNOWN_EXECUTION,
                "no execution " + executionId + " of " + job + "; GET jobs shows those that are kept",
                null,
                cause);
    }

    private static Stream<JobInstance> instances(JobOperator operator, String job, int limit) {
        try {
            return operator.getJobInstances(job, 0, limit).stream();
        } catch (NoSuchJobException neverStarted) {
            return Stream.empty();
        }
    }

    private JobRun jobRun(JobExecution execution) {
        return JobRun.of(execution, DISPATCH.equals(execution.getJobName()) ? report(execution) : null);
    }

    private DispatchReport report(JobExecution execution) {
        return DispatchReport.parse(execution.getExitStatus())
                .or(() -> runs.report(execution.getExecutionId()))
                .orElse(DispatchReport.EMPTY);
    }
}
