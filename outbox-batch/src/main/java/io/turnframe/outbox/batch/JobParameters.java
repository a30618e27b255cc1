package io.turnframe.outbox.batch;

import jakarta.batch.operations.BatchRuntimeException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.context.JobContext;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an execution is started with. */
final class JobParameters {
    private static final Logger LOG = Logger.getLogger(JobParameters.class.getName());

    /** Job repositories have columns for it. */
    private static final int LONGEST_EXIT_STATUS = 250;

    private JobParameters() {}

    /** The components of {@code config}, and {@code more}. */
    static Set<String> names(Class<? extends Record> config, String... more) {
        return Stream.concat(Arrays.stream(config.getRecordComponents()).map(RecordComponent::getName), Stream.of(more))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Refuses a parameter that the job does not know: it would be ignored, and the run would do what nobody asked for. Names
     * with a dot are the server's own, for a restart.
     *
     * @throws IllegalArgumentException naming the parameter and those that there are
     */
    static void refuseUnknown(Properties given, Set<String> known) {
        for (String name : new TreeSet<>(given.stringPropertyNames())) {
            if (!known.contains(name) && name.indexOf('.') < 0) {
                throw new IllegalArgumentException(
                        name + " is no parameter of this job; there are " + String.join(", ", known));
            }
        }
    }

    /**
     * Reads the parameters of the execution that goes. What is wrong with them becomes its exit status, so that whoever lists
     * the executions sees why one failed.
     *
     * @throws IllegalArgumentException naming the parameter, its value and the remedy
     */
    static <T> T read(JobContext job, Set<String> known, Function<Properties, T> reading) {
        try {
            refuseUnknown(started(job), known);
            return reading.apply(job.getProperties());
        } catch (IllegalArgumentException bad) {
            String sentence = bad.getMessage();
            job.setExitStatus(sentence.substring(0, Math.min(sentence.length(), LONGEST_EXIT_STATUS)));
            throw bad;
        }
    }

    /** All that it was started with: the properties of the job are only those that its definition names. */
    private static Properties started(JobContext job) {
        try {
            Properties parameters = BatchRuntime.getJobOperator().getParameters(job.getExecutionId());
            return parameters == null ? new Properties() : parameters;
        } catch (BatchRuntimeException hidden) {
            LOG.log(Level.FINE, "the server does not show the parameters of its own execution", hidden);
            return new Properties();
        }
    }
}
