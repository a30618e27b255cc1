package io.turnframe.outbox.web;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.stream.Stream;

/** Who the caller is, so that a page offers only what it may do. */
@Path("me")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.PAYLOAD, Roles.ENQUEUER})
public class MeResource {
    /** The caller's name and those of its roles that mean something here. */
    @GET
    public Me me(@Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        return new Me(
                caller.getUserPrincipal().getName(),
                Stream.of(Roles.VIEWER, Roles.OPERATOR, Roles.PAYLOAD, Roles.ENQUEUER)
                        .filter(caller::isUserInRole)
                        .toList());
    }

    /** The caller. */
    public record Me(String user, List<String> roles) {}
}
