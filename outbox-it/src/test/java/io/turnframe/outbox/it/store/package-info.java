/**
 * The contract of the store, and the runs of it. A {@code *Contract} is an interface of tests that any store can be held
 * to; {@link io.turnframe.outbox.it.store.StoreContract} is all of them. What only a real database can show, what it
 * logs, what it locks, what a raced duplicate does, has a test of its own.
 */
package io.turnframe.outbox.it.store;
