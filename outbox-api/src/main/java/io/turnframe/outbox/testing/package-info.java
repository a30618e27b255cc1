/**
 * For the unit tests of code around the outbox; no server runs it. {@link io.turnframe.outbox.testing.InMemoryOutboxStore}
 * stands in for the outbox where business code enqueues: it keeps the contract of the store and nothing on disk.
 * {@link io.turnframe.outbox.testing.SenderCheck} tries a sender on a remote that misbehaves.
 */
package io.turnframe.outbox.testing;
