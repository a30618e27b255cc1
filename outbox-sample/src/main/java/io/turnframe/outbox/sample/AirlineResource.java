package io.turnframe.outbox.sample;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.bind.Jsonb;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The simulated airline over HTTP: what the outbox sends to. */
@Path("airline/requests")
@ApplicationScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class AirlineResource {
    /** "Never" has to end at last, long after every deadline of a sender. */
    private static final long NEVER_MINUTES = 10;

    private static final int RETRY_AFTER_SECONDS = 1;
    private static final int MAX_KEY = 255;
    private static final int MAX_UNANSWERED = 256;

    @Inject
    private SimulatedAirline airline;

    @Inject
    private Jsonb jsonb;

    private final BlockingQueue<AsyncResponse> unanswered = new ArrayBlockingQueue<>(MAX_UNANSWERED);

    /** 201 with a reference, 422, 503 with Retry-After, or no answer, as the booking asks for. */
    @POST
    public void request(
            @HeaderParam("Idempotency-Key") String key,
            String body,
            @Context UriInfo uri,
            @Suspended AsyncResponse response) {
        if (key == null || key.isBlank() || key.length() > MAX_KEY) {
            throw TravelDeskException.invalid("the header Idempotency-Key must have 1 to " + MAX_KEY + " characters");
        }
        AirlineRequest request = JsonbProvider.read(
                jsonb, body, AirlineRequest.class, "booking, passenger, flight and behaviour (text)");
        SimulatedAirline.Reservation reservation = airline.receive(key, BookingForm.behaviour(request.behaviour()));
        switch (reservation.answer()) {
            case BOOKED ->
                response.resume(
                        Response.created(uri.getAbsolutePathBuilder().path(key).build())
                                .entity(new Booked(reservation.reference()))
                                .build());
            case REFUSED ->
                response.resume(ProblemMapper.problem(422, "airline.refused", "the flight is full")
                        .build());
            case BUSY ->
                response.resume(ProblemMapper.problem(503, "airline.busy", "try again later")
                        .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                        .build());
            case NONE -> leaveUnanswered(response);
        }
    }

    /** How many requests the airline saw for a key, and its reference if it booked. */
    @GET
    @Path("{key}")
    public Seen seen(@PathParam("key") String key) {
        SimulatedAirline.Reservation reservation = airline.reservation(key);
        return new Seen(key, reservation.requests(), reservation.reference());
    }

    /** Holds the connection without a thread; the oldest is given up when there are too many. */
    private void leaveUnanswered(AsyncResponse response) {
        response.setTimeout(NEVER_MINUTES, TimeUnit.MINUTES);
        response.setTimeoutHandler(this::giveUp);
        while (!unanswered.offer(response)) {
            AsyncResponse oldest = unanswered.poll();
            if (oldest != null) {
                giveUp(oldest);
            }
        }
    }

    /** A gateway timeout: even this late, the caller learns nothing of the booking. */
    private void giveUp(AsyncResponse response) {
        unanswered.remove(response);
        response.resume(
                ProblemMapper.problem(504, "airline.silent", "no answer").build());
    }

    /** The body of a 201. */
    public record Booked(String reference) {}

    /** The body of a count. */
    public record Seen(String idempotencyKey, int requests, String reference) {}
}
