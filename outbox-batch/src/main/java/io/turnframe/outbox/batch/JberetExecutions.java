package io.turnframe.outbox.batch;

import jakarta.batch.runtime.JobExecution;
import jakarta.batch.runtime.context.JobContext;
import jakarta.batch.runtime.context.StepContext;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jberet.repository.JobExecutionSelector;
import org.jberet.repository.JobRepository;
import org.jberet.runtime.JobExecutionImpl;
import org.jberet.runtime.context.JobContextImpl;

/** The executions in JBeret's repository. Only {@link ExecutionPurge} may name this class, and only where JBeret runs. */
final class JberetExecutions {
    private JberetExecutions() {}

    /**
     * Removes executions that have ended from a repository in memory; another kind is left alone: it would only forget what
     * it has read.
     *
     * @param jobs the names of the jobs whose executions may go
     * @param kept the newest of them that stay
     */
    static void purge(JobContext job, Set<String> jobs, int kept) {
        JobRepository repository = ((JobContextImpl) job).getJobRepository();
        if (!repository.getClass().getSimpleName().startsWith("InMemory")) {
            return;
        }
        Map<Long, Long> instances = new HashMap<>();
        repository.removeJobExecutions(new Selector(job, execution -> {
            if (execution.getEndTime() != null && jobs.contains(execution.getJobName())) {
                instances.put(
                        execution.getExecutionId(),
                        ((JobExecutionImpl) execution).getJobInstance().getInstanceId());
            }
            return false;
        }));
        Set<Long> old = instances.keySet().stream()
                .sorted(Comparator.reverseOrder())
                .skip(kept)
                .collect(Collectors.toSet());
        repository.removeJobExecutions(new Selector(job, execution -> old.contains(execution.getExecutionId())));
        old.forEach(execution -> repository.removeJobInstance(instances.get(execution)));
    }

    /** A predicate in the form that JBeret takes. */
    private record Selector(JobContext job, Predicate<JobExecution> chosen) implements JobExecutionSelector {
        @Override
        public boolean select(JobExecution execution, Collection<Long> allIds) {
            return chosen.test(execution);
        }

        @Override
        public JobContext getJobContext() {
            return job;
        }

        @Override
        public void setJobContext(JobContext context) {}

        @Override
        public StepContext getStepContext() {
            return null;
        }

        @Override
        public void setStepContext(StepContext context) {}
    }
}
