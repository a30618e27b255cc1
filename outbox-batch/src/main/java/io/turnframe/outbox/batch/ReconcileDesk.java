package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.store.Act;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.UUID;

/** Reconciles one entry for an operator. Outside transactions: none may be open while a remote is asked. */
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class ReconcileDesk {
    /** {@link OutboxException#code()}: the entry's destination has no reconciler now. */
    public static final String NO_RECONCILER = "turnframe.reconcile.no_reconciler";

    /** {@link OutboxException#code()}: another is asking about the entry now. */
    public static final String BEING_ASKED = "turnframe.reconcile.being_asked";

    /** {@link OutboxException#code()}: this node asks about as many entries as it may. */
    public static final String BUSY = "turnframe.reconcile.busy";

    @Inject
    private ReconcileSettings settings;

    @Inject
    private ReconcileTools tools;

    /**
     * Asks what became of one entry, due or not, and settles it by the answer. Waits for that, at most
     * {@code outbox.reconcile.timeout}. An entry whose outcome is not unknown is left alone and reported unresolved.
     * That it is asked, and what the answer made of the entry, is put on record.
     *
     * @throws OutboxNotFoundException if there is no such entry
     * @throws OutboxException with one of the codes above; nobody was asked
     */
    public Reconciliation reconcile(UUID outboxId, Act act) {
        return new ReconcileOne(tools.parts(), settings.config(), act).reconcile(outboxId);
    }
}
