package io.turnframe.outbox.batch;

import io.turnframe.outbox.Reconciled;

/**
 * How the asking about one entry ended.
 *
 * @param answer what the reconciler said; unresolved also where nobody was asked, or no answer came
 * @param settled whether the entry was settled by it. It was not if nobody knows yet, if it was to be sent again before the
 *     settling time had passed, or if another settled it meanwhile
 */
public record Reconciliation(Reconciled answer, boolean settled) {
    static final Reconciliation UNRESOLVED = new Reconciliation(Reconciled.unresolved(), false);
}
