package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.OutboxWriter;
import java.util.Set;

/**
 * Who acts, why, and on what he has seen.
 *
 * @param by the operator
 * @param note why; null if he did not say
 * @param versions the versions of the record that the act may go on from, see {@link RecordStory#version()}; null for any
 */
public record Act(String by, String note, Set<String> versions) {
    /** The longest note, in characters. */
    public static final int MAX_NOTE = 512;

    /** @throws io.turnframe.outbox.InvalidRecordException naming the value and its limits */
    public Act {
        EntryRules.text("by", by, OutboxWriter.MAX_WORKER_ID);
        if (note != null) {
            EntryRules.text("note", note, MAX_NOTE);
        }
        versions = versions == null ? null : Set.copyOf(versions);
    }

    /** Without a condition. */
    public static Act of(String by, String note) {
        return new Act(by, note, null);
    }
}
