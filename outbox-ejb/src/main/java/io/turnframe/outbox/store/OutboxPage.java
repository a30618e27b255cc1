package io.turnframe.outbox.store;

import java.util.List;

/**
 * Some entries and where to go on.
 *
 * @param next null on the last page
 */
public record OutboxPage(List<OutboxSummary> entries, OutboxPosition next) {
    public OutboxPage {
        entries = List.copyOf(entries);
    }
}
