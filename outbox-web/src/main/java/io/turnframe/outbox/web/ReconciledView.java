package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.Reconciliation;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.util.Locale;

/**
 * How the asking about one entry ended.
 *
 * @param answer what the reconciler said: completed, failed, resend or unresolved
 * @param settled whether the entry was settled by it
 * @param record the entry as it is now
 */
@JsonbPropertyOrder({"answer", "settled", "record"})
public record ReconciledView(String answer, boolean settled, StoryView record) {
    static ReconciledView of(Reconciliation ended, StoryView record) {
        return new ReconciledView(ended.answer().kind().name().toLowerCase(Locale.ROOT), ended.settled(), record);
    }
}
