package io.turnframe.outbox.store;

import java.util.List;

/**
 * Some acts and where to go on.
 *
 * @param next null on the last page
 */
public record AuditPage(List<AuditRecord> acts, OutboxPosition next) {
    public AuditPage {
        acts = List.copyOf(acts);
    }

    /** @param found one more than {@code limit} if there is a next page */
    static AuditPage of(List<AuditRecord> found, int limit) {
        return found.size() <= limit
                ? new AuditPage(found, null)
                : new AuditPage(found.subList(0, limit), found.get(limit - 1).position());
    }
}
