package io.turnframe.outbox;

/**
 * Asks a remote what became of an entry whose outcome is unknown. It is called outside any transaction, on a thread that
 * is interrupted when the deadline has passed. Many calls run at once, for one entry never more than one.
 *
 * <p>Three duties are the reconciler's. <em>Never send</em>: it looks the entry up at the remote, by
 * {@link OutboxEntry#idempotencyKey()} or {@link OutboxRecord#remoteRef()}, and changes nothing there. <em>Claim no more
 * than the remote knows</em>: that the remote has nothing of the entry yet is {@link Reconciled#unresolved}, unless it is
 * certain that the request never arrived and cannot arrive any more. <em>Give every wait a timeout of its own</em>, and
 * heed the interrupt.
 */
@FunctionalInterface
public interface OutboxReconciler {
    /**
     * Looks one entry up. A thrown exception or error, a null and a missed deadline count as
     * {@link Reconciled.Unresolved}: the entry is asked about again later.
     *
     * @param record the entry as it is stored, in {@link OutboxStatus#OUTCOME_UNKNOWN}
     */
    Reconciled reconcile(OutboxRecord record);
}
