package io.turnframe.outbox.store;

/**
 * How an authorisation to send again went.
 *
 * @param authorised whether the entry is pending now; if not, another operator has to authorise it too
 * @param requestedBy who asked for it first; null where one operator is enough
 */
public record Authorisation(boolean authorised, String requestedBy) {}
