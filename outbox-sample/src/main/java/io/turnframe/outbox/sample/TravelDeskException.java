package io.turnframe.outbox.sample;

import jakarta.ejb.ApplicationException;

/** A call the travel desk refuses. It rolls the caller's transaction back and reaches the client as a problem. */
@ApplicationException(rollback = true)
public final class TravelDeskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    private TravelDeskException(int status, String code, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.code = code;
    }

    /** What the client sent is wrong; the message names the field. */
    static TravelDeskException invalid(String message) {
        return new TravelDeskException(400, "travel.invalid", message, null);
    }

    static TravelDeskException notFound(String message) {
        return new TravelDeskException(404, "travel.not_found", message, null);
    }

    /** The transaction was rolled back on the client's wish. */
    static TravelDeskException rolledBack(Booking booking) {
        return new TravelDeskException(
                409, "travel.rolled_back", "booking " + booking.id() + " was rolled back as asked", null);
    }

    static TravelDeskException outboxAbsent(Throwable cause) {
        return new TravelDeskException(503, "travel.outbox_absent", "the outbox is not deployed on this server", cause);
    }

    /** The HTTP status that says it. */
    public int status() {
        return status;
    }

    /** A stable identifier of the kind of refusal. */
    public String code() {
        return code;
    }
}
