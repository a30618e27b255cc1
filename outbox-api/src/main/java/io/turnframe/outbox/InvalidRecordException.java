package io.turnframe.outbox;

/** A value is outside what the contract allows; the message names it. Nothing was written. */
public final class InvalidRecordException extends OutboxException {
    /** The {@link #code()} of every such exception. */
    public static final String CODE = "turnframe.store.invalid_record";

    private static final long serialVersionUID = 1L;

    public InvalidRecordException(String message) {
        super(CODE, message, null);
    }
}
