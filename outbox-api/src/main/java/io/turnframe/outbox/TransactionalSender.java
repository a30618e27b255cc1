package io.turnframe.outbox;

/**
 * A sender whose effect commits with the settlement of its entry, or not at all: a message in a queue, a row in another
 * database. The dispatcher calls it in a JTA transaction of that one entry: it makes sure, under the lock of the row, that the
 * claim still holds, calls {@link #send}, settles the entry, and commits. So the entry is completed exactly when the effect is
 * there, as long as both resource managers and the server's transaction log survive.
 *
 * <p>What the effect is made with must join that transaction, and must be able to be prepared: an XA resource. The outbox's data
 * source must be XA, too, unless the effect is made over that very data source. Not every server refuses what is not: then a crash
 * may tear the two apart. The sender neither begins nor commits anything, starts no thread, and holds what it opens no longer
 * than the call: while it works, a connection and the lock of the row are held, one for each send in flight.
 *
 * <p>Everything but {@link Dispatched.Completed} rolls back, and then nothing is sent: <em>permanent</em> fails the entry;
 * <em>retryable</em> and <em>unavailable</em> put it off; <em>unknown</em>, null, a thrown exception or error, a missed deadline,
 * and a commit that is refused count as retryable, since nothing is left. The transaction has {@code send-timeout} as its
 * timeout. Where there is no transaction, no connection or no lock in time, the sender is not called, and the entry put off without
 * spending budget. The entry becomes outcome_unknown only where the server cannot say whether it has committed.
 *
 * <p>A crash leaves the entry claimed or completed, never doubtful. Its send is not marked as started; what was claimed is sent
 * again once recovery has undone the transaction.
 */
@FunctionalInterface
public interface TransactionalSender extends OutboxSender {
    /** Makes the effect in the caller's transaction. */
    @Override
    Dispatched send(OutboxEntry entry);
}
