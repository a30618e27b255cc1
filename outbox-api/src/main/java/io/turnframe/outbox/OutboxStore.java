package io.turnframe.outbox;

/** Both halves of the store. A business application gets {@link Outbox} instead. */
public interface OutboxStore extends OutboxReader, OutboxWriter {}
