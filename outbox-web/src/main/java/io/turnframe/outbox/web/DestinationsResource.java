package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.DestinationState;
import io.turnframe.outbox.batch.Destinations;
import io.turnframe.outbox.store.DestinationControl;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;

/** Destinations: what is known of them here, and their holds and limits. */
@Path("destinations")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class DestinationsResource {
    @Inject
    private Destinations destinations;

    /** All that are configured on this node, and all that somebody said something about. */
    @GET
    public Page all(@Context UriInfo uri) {
        Parameters.none(uri);
        DestinationControl everything = destinations.everything();
        return new Page(Hold.of(everything), destinations.all());
    }

    /** Replaces what was said about one: a name that is left out of the body is a limit that is lifted. */
    @PUT
    @Path("{name}")
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed(Roles.OPERATOR)
    public DestinationState say(
            @PathParam("name") String name, byte[] body, @Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        if (DestinationControl.EVERYTHING.equals(name)) {
            throw AdminException.invalidParameter("name", "everything is held by POST hold");
        }
        return destinations.say(OutboxJson.read(body, fields -> ControlBody.destination(name, fields, caller)));
    }

    /** The hold of everything, and the destinations by name. */
    public record Page(Hold hold, List<DestinationState> destinations) {}
}
