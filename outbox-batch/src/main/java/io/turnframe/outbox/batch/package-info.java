/**
 * The dispatcher: a batch job whose reader claims, whose processor starts the sends and whose writer settles; the timer
 * and the wake-up that start it; the senders that carry an entry to its remote. Beside it the jobs that ask remotes about
 * unknown outcomes, and that purge.
 *
 * <p>It is not a store: every change of a row goes through {@link io.turnframe.outbox.store.DispatchStore}, each in a
 * transaction of its own, so that no transaction is open and no connection held while a remote is called.
 *
 * <p>Why it is safe: a row is sent only under a claim whose rest covers the deadline of the send, and, unless its
 * destination deduplicates, only after the start of the send is on record; whatever goes wrong after that ends in
 * <em>unknown</em>, never in a second send.
 */
package io.turnframe.outbox.batch;
