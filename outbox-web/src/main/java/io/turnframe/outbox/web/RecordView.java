package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.store.OutboxSummary;

/**
 * A record as one caller may see it.
 *
 * @param payload JSON text, or null to leave it out
 */
public record RecordView(OutboxSummary summary, String payload) {
    /** With its payload. */
    static RecordView of(OutboxRecord stored) {
        return new RecordView(OutboxSummary.of(stored), stored.entry().payload());
    }

    /** Without its payload. */
    static RecordView of(OutboxSummary summary) {
        return new RecordView(summary, null);
    }
}
