package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxWriter;
import io.turnframe.outbox.store.OutboxFilter;
import java.util.HashSet;
import java.util.Set;

/** The query parameters that say which entries to show. */
final class FilterParameters {
    static final Set<String> NAMES = Set.of(
            "status",
            "destination",
            "command_id",
            "failure_code",
            "idempotency_key",
            "key_prefix",
            "created_from",
            "created_before",
            "due_from",
            "due_before");

    private FilterParameters() {}

    /** These and those. */
    static Set<String> with(String... others) {
        Set<String> names = new HashSet<>(NAMES);
        names.addAll(Set.of(others));
        return Set.copyOf(names);
    }

    /** @throws AdminException naming the one that has no meaning */
    static OutboxFilter read(Parameters parameters) {
        return new OutboxFilter(
                parameters.status("status"),
                parameters.text("destination", OutboxEntry.MAX_DESTINATION),
                parameters.uuid("command_id"),
                parameters.text("failure_code", OutboxWriter.MAX_CODE),
                range(parameters, "created"),
                range(parameters, "due"),
                parameters.text("idempotency_key", OutboxEntry.MAX_IDEMPOTENCY_KEY),
                parameters.text("key_prefix", OutboxEntry.MAX_IDEMPOTENCY_KEY));
    }

    private static OutboxFilter.Range range(Parameters parameters, String of) {
        return new OutboxFilter.Range(parameters.instant(of + "_from"), parameters.instant(of + "_before"));
    }
}
