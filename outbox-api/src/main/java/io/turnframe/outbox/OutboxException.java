package io.turnframe.outbox;

import java.util.UUID;

/**
 * The root of what the outbox throws. It is an application exception: it does not roll the caller's transaction back by
 * itself. After a refusal the caller may go on and commit; after {@link #STORE_UNAVAILABLE}, {@link #STORE_BUSY} and
 * {@link #NOT_ENLISTED} the transaction is marked for rollback, since a statement that failed may have left half its work.
 */
public class OutboxException extends RuntimeException {
    /** {@link #code()} of an enqueue outside a transaction. */
    public static final String TRANSACTION_REQUIRED = "turnframe.store.transaction_required";

    /** {@link #code()} when the database did not answer, or answered with an error that is none of ours. */
    public static final String STORE_UNAVAILABLE = "turnframe.store.unavailable";

    /** {@link #code()} when a job execution is asked for that the job repository does not have, or that is none of ours. */
    public static final String UNKNOWN_EXECUTION = "turnframe.dispatch.unknown_execution";

    /**
     * {@link #code()} when the data source of the outbox cannot take part in the caller's transaction: it and another
     * one in it are both not XA. The transaction is marked for rollback.
     */
    public static final String NOT_ENLISTED = "turnframe.store.not_enlisted";

    /**
     * {@link #code()} when the database gave up waiting for another transaction, which may be one in doubt after a crash.
     * The transaction is marked for rollback; the call may be repeated in a new one.
     */
    public static final String STORE_BUSY = "turnframe.store.busy";

    private static final long serialVersionUID = 1L;

    private final String code;
    private final UUID outboxId;

    /**
     * @param code a stable identifier, never free text
     * @param outboxId the entry it is about, or null
     */
    public OutboxException(String code, String message, UUID outboxId) {
        this(code, message, outboxId, null);
    }

    /**
     * @param code a stable identifier, never free text
     * @param outboxId the entry it is about, or null
     * @param cause what was met, or null
     */
    public OutboxException(String code, String message, UUID outboxId, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.outboxId = outboxId;
    }

    /** A stable identifier of the kind of error, for programs to tell apart. */
    public final String code() {
        return code;
    }

    /** The entry it is about, or null. */
    public final UUID outboxId() {
        return outboxId;
    }
}
