package io.turnframe.outbox;

/**
 * Carries one entry to its remote. The dispatcher calls it outside any transaction, on a thread that it interrupts when
 * the deadline has passed. Many calls run at once.
 *
 * <p>Two duties are the sender's. <em>Pass on {@link OutboxEntry#idempotencyKey()}</em>, wherever the remote looks for
 * it. <em>Classify honestly</em>: after a byte of the request may have left, anything but a clear answer is
 * {@link Dispatched.Unknown}. Whoever cannot tell answers Unknown.
 */
@FunctionalInterface
public interface OutboxSender {
    /**
     * Sends one entry. A thrown exception or error, a null and a missed deadline count as {@link Dispatched.Unknown},
     * never as a retry.
     */
    Dispatched send(OutboxEntry entry);
}
