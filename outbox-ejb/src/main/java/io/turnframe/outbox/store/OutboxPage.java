package io.turnframe.outbox.store;

import java.util.List;

/**
 * Some entries and where to go on; there may be fewer than were asked for, or none, and still a next page.
 *
 * @param next null on the last page
 */
public record OutboxPage(List<OutboxSummary> entries, OutboxPosition next) {
    public OutboxPage {
        entries = List.copyOf(entries);
    }
}
