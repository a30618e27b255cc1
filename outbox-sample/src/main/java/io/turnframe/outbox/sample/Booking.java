package io.turnframe.outbox.sample;

import java.time.Instant;
import java.util.UUID;

/**
 * A seat on a flight, as the travel desk stores it.
 *
 * @param airline how the simulated airline shall treat it
 */
public record Booking(UUID id, String passenger, String flight, AirlineBehaviour airline, Instant bookedAt) {
    /** The key under which the airline is asked for this booking, on every attempt. */
    public String idempotencyKey() {
        return "booking-" + id;
    }
}
