package io.turnframe.outbox.store;

import java.time.Instant;
import java.util.UUID;

/** The last entry of a page; the next page starts behind it. Nothing in it is null. */
public record OutboxPosition(Instant createdAt, UUID outboxId) {}
