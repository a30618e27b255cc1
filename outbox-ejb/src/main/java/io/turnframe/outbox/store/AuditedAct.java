package io.turnframe.outbox.store;

import java.util.Locale;

/** What operators do that is put on record. */
public enum AuditedAct {
    /** An entry was declared completed. */
    COMPLETE,
    /** An entry was declared failed. */
    FAIL,
    /** A pending entry was given another time. */
    RESCHEDULE,
    /** A remote was asked about an entry, or its answer settled the entry. */
    RECONCILE,
    /** A failed entry is to be sent again. */
    RESUBMIT,
    /** The first of two persons wants an entry of unknown outcome to be sent again. */
    REQUEST_RESEND,
    /** An entry of unknown outcome is to be sent again. */
    AUTHORISE_RESEND,
    /** The payload of an ended entry was replaced. */
    ERASE_PAYLOAD,
    /** An abandoned claim was released by hand. */
    RELEASE,
    /** A destination, or everything, was held, limited or let go. */
    CONTROL,
    /** A run of the dispatch job was asked for. */
    DISPATCH,
    /** A run of a job was asked to end. */
    STOP,
    /** A bulk act began, was cancelled or ended. */
    BULK;

    /** As it is stored and shown: in lower case, with hyphens. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
