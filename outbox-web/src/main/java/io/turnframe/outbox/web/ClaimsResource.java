package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.ClaimRelease;
import io.turnframe.outbox.store.Released;
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
import java.util.List;
import java.util.UUID;

/** Abandoned claims. */
@Path("claims/release")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Roles.OPERATOR)
public class ClaimsResource {
    @Inject
    private ClaimRelease release;

    /** Releases the claims that are older than the claim timeout, as the timer does, whether or not dispatch is on. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public ReleasedView release(byte[] body, @Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        Released released = release.release(ActBody.read(body).act(caller));
        return new ReleasedView(released.pending(), released.unknown());
    }

    /** The entries that are pending again, and those whose outcome is unknown now. */
    public record ReleasedView(List<UUID> pending, List<UUID> outcomeUnknown) {}
}
