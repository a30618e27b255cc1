package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.Destinations;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;

/** The hold of all dispatch on all nodes. */
@Path("hold")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Roles.OPERATOR)
public class HoldResource {
    @Inject
    private Destinations destinations;

    /** Holds everything, or lets it go; what is out is settled either way. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Hold hold(byte[] body, @Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        destinations.say(OutboxJson.read(body, fields -> ControlBody.everything(fields, caller)));
        return Hold.of(destinations.everything());
    }
}
