package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import java.util.UUID;

/** Which entries to show; a null component lets every entry pass. */
public record OutboxFilter(OutboxStatus status, String destination, UUID commandId) {}
