package io.turnframe.outbox.sample;

/**
 * What is sent to the airline, as JSON.
 *
 * @param booking the travel desk's id of the booking
 * @param behaviour a label of {@link AirlineBehaviour}: what the simulation shall do
 */
public record AirlineRequest(String booking, String passenger, String flight, String behaviour) {}
