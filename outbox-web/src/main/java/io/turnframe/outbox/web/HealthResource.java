package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.Health;
import io.turnframe.outbox.batch.HealthDesk;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;

/** How the outbox is. Whoever asks whether it lives or is ready needs no user, and hears nothing of the backlog. */
@Path("health")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class HealthResource {
    @Inject
    private HealthDesk desk;

    /** What needs a person. */
    @GET
    public Response health(@Context UriInfo uri) {
        Parameters.none(uri);
        Health health = desk.health();
        return status(!Health.DOWN.equals(health.status())).entity(health).build();
    }

    /** Whether the deployment answers. */
    @GET
    @Path("live")
    @PermitAll
    public State live(@Context UriInfo uri) {
        Parameters.none(uri);
        return new State("up");
    }

    /** Whether the database answers. A backlog changes nothing: it is no reason to take a business node out. */
    @GET
    @Path("ready")
    @PermitAll
    public Response ready(@Context UriInfo uri) {
        Parameters.none(uri);
        boolean ready = desk.isReady();
        return status(ready).entity(new State(ready ? "up" : Health.DOWN)).build();
    }

    private static Response.ResponseBuilder status(boolean up) {
        return Response.status(up ? Response.Status.OK : Response.Status.SERVICE_UNAVAILABLE);
    }

    /** Up or down. */
    public record State(String status) {}
}
