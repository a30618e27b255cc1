package io.turnframe.outbox.sample;

import jakarta.ejb.ApplicationException;
import java.util.UUID;

/** A call the travel desk refuses. It rolls the caller's transaction back and reaches the client as a problem. */
@ApplicationException(rollback = true)
public final class TravelDeskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final UUID booking;

    private TravelDeskException(int status, String code, String message, UUID booking, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.code = code;
        this.booking = booking;
    }

    /** What the client sent is wrong; the message names the field. */
    static TravelDeskException invalid(String message) {
        return new TravelDeskException(400, "travel.invalid", message, null, null);
    }

    static TravelDeskException notFound(String message) {
        return new TravelDeskException(404, "travel.not_found", message, null, null);
    }

    /** The transaction was rolled back on the client's wish. */
    static TravelDeskException rolledBack(Booking booking) {
        String message = "the booking was rolled back as asked";
        return new TravelDeskException(409, "travel.rolled_back", message, booking.id(), null);
    }

    static TravelDeskException outboxAbsent(Throwable cause) {
        String message = "the outbox is not deployed on this server";
        return new TravelDeskException(503, "travel.outbox_absent", message, null, cause);
    }

    /** The HTTP status that says it. */
    public int status() {
        return status;
    }

    /** A stable identifier of the kind of refusal. */
    public String code() {
        return code;
    }

    /** The booking it is about, or null. */
    public UUID booking() {
        return booking;
    }
}
