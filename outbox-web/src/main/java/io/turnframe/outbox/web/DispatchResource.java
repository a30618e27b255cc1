package io.turnframe.outbox.web;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.batch.DispatchJobs;
import io.turnframe.outbox.store.Act;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.Properties;

/** Starts the dispatch job. */
@Path("dispatch")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Roles.OPERATOR)
public class DispatchResource {
    @EJB
    private DispatchJobs jobs;

    /** Starts a run now, whether or not the timer is on. It is accepted, not done, when the answer leaves. */
    @POST
    public Response dispatch(byte[] body, @Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        Properties overrides = DispatchOverrides.read(body);
        try {
            return Response.accepted(new Started(jobs.startDispatch(overrides, Act.of(ActBody.name(caller), null))))
                    .build();
        } catch (InvalidRecordException bad) {
            throw AdminException.invalidOverride(DispatchOverrides.asWritten(bad.getMessage()));
        }
    }

    /** The execution that was started. */
    public record Started(long executionId) {}
}
