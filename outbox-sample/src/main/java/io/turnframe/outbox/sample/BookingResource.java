package io.turnframe.outbox.sample;

import io.turnframe.outbox.OutboxRecord;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.bind.Jsonb;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.UUID;

/** The travel desk over HTTP. */
@Path("bookings")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class BookingResource {
    private static final int LATEST = 20;

    @Inject
    private TravelDesk desk;

    @Inject
    private Jsonb jsonb;

    @Context
    private UriInfo uri;

    /** 201 with the booking; 409 if it was rolled back as asked; 400 if the form is wrong. */
    @POST
    public Response book(String body) {
        BookingForm form =
                JsonbProvider.read(jsonb, body, BookingForm.class, "passenger, flight, airline (text) and rollback");
        form.check();
        if (form.rollback()) {
            desk.bookAndRollBack(form.passenger(), form.flight(), form.behaviour());
        }
        Booking booking = desk.book(form.passenger(), form.flight(), form.behaviour());
        return Response.created(uri.getAbsolutePathBuilder()
                        .path(booking.id().toString())
                        .build())
                .entity(view(booking))
                .build();
    }

    /** 201 with the ids of the legs booked now and of those booked before; 400 if the form is wrong. */
    @POST
    @Path("journeys")
    public Response bookJourney(String body) {
        JourneyForm form = JsonbProvider.read(
                jsonb, body, JourneyForm.class, "passenger, airline and legs, each with a flight and maybe a booking");
        form.check();
        return Response.status(Response.Status.CREATED)
                .entity(desk.bookJourney(form))
                .build();
    }

    /** The latest bookings, newest first. */
    @GET
    public List<BookingView> latest() {
        return desk.latest(LATEST).stream().map(this::view).toList();
    }

    /** The booking and how far its request has come; 404 if there is none. */
    @GET
    @Path("{id}")
    public BookingView booking(@PathParam("id") String id) {
        return view(desk.booking(parse(id)));
    }

    /** What the outbox holds for this id: an empty list if the booking was rolled back. */
    @GET
    @Path("{id}/requests")
    public List<RequestView> requests(@PathParam("id") String id) {
        return desk.requests(parse(id)).stream().map(RequestView::of).toList();
    }

    private BookingView view(Booking booking) {
        List<OutboxRecord> requests = desk.requests(booking.id());
        return BookingView.of(booking, requests.isEmpty() ? null : requests.get(0));
    }

    private static UUID parse(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw TravelDeskException.notFound("no booking " + id);
        }
    }

    /**
     * A booking as JSON.
     *
     * @param request how far its request to the airline has come; null only if an operator removed it
     */
    public record BookingView(
            String id, String passenger, String flight, String airline, String bookedAt, RequestView request) {
        static BookingView of(Booking booking, OutboxRecord request) {
            return new BookingView(
                    booking.id().toString(),
                    booking.passenger(),
                    booking.flight(),
                    booking.airline().label(),
                    booking.bookedAt().toString(),
                    request == null ? null : RequestView.of(request));
        }
    }

    /**
     * An outbox entry as JSON.
     *
     * @param lastFailure the stable code of the last failure, or null
     * @param remoteRef the airline's reference, or null
     */
    public record RequestView(
            String outboxId,
            String idempotencyKey,
            String status,
            int attempts,
            String lastFailure,
            String remoteRef,
            String createdAt,
            String completedAt) {
        static RequestView of(OutboxRecord outboxRecord) {
            var entry = outboxRecord.entry();
            return new RequestView(
                    entry.outboxId().toString(),
                    entry.idempotencyKey(),
                    entry.status().label(),
                    entry.attemptCount(),
                    outboxRecord.lastFailure(),
                    outboxRecord.remoteRef(),
                    entry.createdAt().toString(),
                    entry.completedAt() == null ? null : entry.completedAt().toString());
        }
    }
}
