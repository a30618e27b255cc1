package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.OutboxWriter;
import java.time.Duration;

/**
 * On what terms rows are taken to be asked about.
 *
 * @param workerId who asks
 * @param lease how long nobody else asks
 * @param settlingTime how long an outcome must have been unknown before the answer may be to send again
 * @param act the operator who wants it asked; null for a sweep
 */
public record QuestionRequest(String workerId, Duration lease, Duration settlingTime, Act act) {
    public QuestionRequest {
        EntryRules.text("workerId", workerId, OutboxWriter.MAX_WORKER_ID);
    }

    /** Of a sweep. */
    public QuestionRequest(String workerId, Duration lease, Duration settlingTime) {
        this(workerId, lease, settlingTime, null);
    }
}
