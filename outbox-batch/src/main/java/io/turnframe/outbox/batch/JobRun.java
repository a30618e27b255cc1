package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchReport;
import jakarta.batch.runtime.JobExecution;
import java.time.Instant;
import java.util.Date;

/**
 * One execution of one of the jobs, as the job repository has it.
 *
 * @param executionId its id
 * @param job the job's name
 * @param status the batch status, as {@code STARTED} or {@code COMPLETED}
 * @param exitStatus a line of counts once it has ended as it should, or the sentence about a bad parameter over which it failed; null as
 *     long as there is none
 * @param createdAt when it was asked for
 * @param endedAt null while it goes
 * @param report what a dispatch run has done so far; null for the other jobs
 */
public record JobRun(
        long executionId,
        String job,
        String status,
        String exitStatus,
        Instant createdAt,
        Instant endedAt,
        DispatchReport report) {
    static JobRun of(JobExecution execution, DispatchReport report) {
        return new JobRun(
                execution.getExecutionId(),
                execution.getJobName(),
                execution.getBatchStatus().name(),
                execution.getExitStatus(),
                instant(execution.getCreateTime()),
                instant(execution.getEndTime()),
                report);
    }

    private static Instant instant(Date date) {
        return date == null ? null : Instant.ofEpochMilli(date.getTime());
    }
}
