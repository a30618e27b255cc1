/**
 * A stand-in for the outbox in unit tests of business code: {@link io.turnframe.outbox.testing.InMemoryOutboxStore}. It
 * keeps the contract of the store and nothing on disk; no server runs it.
 */
package io.turnframe.outbox.testing;
