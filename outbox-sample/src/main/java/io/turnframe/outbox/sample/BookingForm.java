package io.turnframe.outbox.sample;

/**
 * The JSON of one booking as a client posts it.
 *
 * @param airline a label of {@link AirlineBehaviour}; absent means accept
 * @param rollback whether the transaction shall be rolled back after the enqueue, to show that nothing is left
 */
public record BookingForm(String passenger, String flight, String airline, boolean rollback) {
    static final int MAX_PASSENGER = 100;
    static final int MAX_FLIGHT = 10;

    /** @throws TravelDeskException (400) naming the field that is wrong */
    void check() {
        text("passenger", passenger, MAX_PASSENGER);
        text("flight", flight, MAX_FLIGHT);
        behaviour();
    }

    /** @throws TravelDeskException (400) if there is no such behaviour */
    AirlineBehaviour behaviour() {
        return behaviour(airline);
    }

    static AirlineBehaviour behaviour(String label) {
        if (label == null) {
            return AirlineBehaviour.ACCEPT;
        }
        return AirlineBehaviour.ofLabel(label)
                .orElseThrow(() -> TravelDeskException.invalid(
                        "airline is '" + label + "' but must be one of " + AirlineBehaviour.labels()));
    }

    static void text(String field, String value, int max) {
        if (value == null || value.isBlank()) {
            throw TravelDeskException.invalid(field + " is missing");
        }
        if (value.length() > max) {
            throw TravelDeskException.invalid(
                    field + " has " + value.length() + " characters but at most " + max + " are allowed");
        }
    }
}
