package io.turnframe.outbox.sample;

import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.json.bind.Jsonb;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * Books seats. Each method runs in one JTA transaction that stores the booking and enqueues the request to the airline:
 * either both are there after the commit or neither.
 */
@Stateless
public class TravelDesk {
    /** The configured name of the airline: {@code outbox.destination.airline.…}. */
    static final String AIRLINE = "airline";

    @Inject
    private BookingTable bookings;

    @Inject
    private Jsonb jsonb;

    /**
     * Stores a booking and enqueues its request.
     *
     * @return the booking, which exists once this transaction has committed
     */
    public Booking book(String passenger, String flight, AirlineBehaviour airline) {
        Booking booking = newBooking(UUID.randomUUID(), passenger, flight, airline);
        bookings.insert(booking);
        outbox().enqueue(requestFor(booking));
        return booking;
    }

    /**
     * Does all that {@link #book} does and then fails, as a business rule might that is checked last.
     *
     * @throws TravelDeskException always; neither booking nor request is left
     */
    public void bookAndRollBack(String passenger, String flight, AirlineBehaviour airline) {
        throw TravelDeskException.rolledBack(book(passenger, flight, airline));
    }

    /**
     * Books every leg that was not booked before. A leg names the booking it may already have; its request then meets
     * the earlier one, and the conflict is no reason to give up the other legs.
     */
    public Journey bookJourney(JourneyForm form) {
        List<UUID> booked = new ArrayList<>();
        List<UUID> bookedBefore = new ArrayList<>();
        for (JourneyForm.Leg leg : form.legs()) {
            UUID id = leg.booking() == null ? UUID.randomUUID() : leg.booking();
            Booking booking = newBooking(id, form.passenger(), leg.flight(), form.behaviour());
            try {
                // The request first: its key decides, and a refused enqueue leaves this transaction usable.
                outbox().enqueue(requestFor(booking));
                bookings.insert(booking);
                booked.add(id);
            } catch (OutboxConflictException alreadyRequested) {
                bookedBefore.add(id);
            }
        }
        return new Journey(booked, bookedBefore);
    }

    /** @throws TravelDeskException (404) if there is no such booking */
    public Booking booking(UUID id) {
        return bookings.find(id).orElseThrow(() -> TravelDeskException.notFound("no booking " + id));
    }

    /** The latest bookings, newest first. */
    public List<Booking> latest(int limit) {
        return bookings.latest(limit);
    }

    /** What the outbox holds for a booking, also if the booking itself does not exist. */
    public List<OutboxRecord> requests(UUID bookingId) {
        return outbox().listForCommand(bookingId);
    }

    /**
     * What became of a journey.
     *
     * @param booked the ids of the bookings made now
     * @param bookedBefore the ids of those that had been made before
     */
    public record Journey(List<UUID> booked, List<UUID> bookedBefore) {}

    private static Booking newBooking(UUID id, String passenger, String flight, AirlineBehaviour airline) {
        return new Booking(id, passenger, flight, airline, Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    private OutboxEntry requestFor(Booking booking) {
        AirlineRequest request = new AirlineRequest(
                booking.id().toString(),
                booking.passenger(),
                booking.flight(),
                booking.airline().label());
        return OutboxEntry.pending(booking.id(), AIRLINE, booking.idempotencyKey(), jsonb.toJson(request));
    }

    /** Looked up at each call: the two applications are deployed and redeployed in any order. */
    private static Outbox outbox() {
        try {
            return InitialContext.doLookup(Outbox.JNDI_NAME);
        } catch (NamingException e) {
            throw TravelDeskException.outboxAbsent(e);
        }
    }
}
