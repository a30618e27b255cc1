package io.turnframe.outbox.sample;

import java.util.List;
import java.util.UUID;

/**
 * The JSON of a journey of several flights, as a client posts it.
 *
 * @param airline a label of {@link AirlineBehaviour} for every leg; absent means accept
 */
public record JourneyForm(String passenger, String airline, List<Leg> legs) {
    static final int MAX_LEGS = 20;

    /**
     * One flight of a journey.
     *
     * @param booking the id of a booking that may have been made before, or null for a new one. A leg that was booked
     *     before is not booked again.
     */
    public record Leg(String flight, UUID booking) {}

    /** @throws TravelDeskException (400) naming the field that is wrong */
    void check() {
        BookingForm.text("passenger", passenger, BookingForm.MAX_PASSENGER);
        behaviour();
        if (legs == null || legs.isEmpty() || legs.size() > MAX_LEGS) {
            throw TravelDeskException.invalid("legs must be a list of 1 to " + MAX_LEGS + " flights");
        }
        for (Leg leg : legs) {
            BookingForm.text("flight", leg == null ? null : leg.flight(), BookingForm.MAX_FLIGHT);
        }
    }

    /** @throws TravelDeskException (400) if there is no such behaviour */
    AirlineBehaviour behaviour() {
        return BookingForm.behaviour(airline);
    }
}
