package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.DispatchJobs;
import io.turnframe.outbox.batch.JobRun;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Set;

/** The executions of the jobs. */
@Path("jobs")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class JobsResource {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 500;

    @EJB
    private DispatchJobs jobs;

    /** Those that the job repository still has, newest first. */
    @GET
    public Page latest(@Context UriInfo uri) {
        Parameters parameters = new Parameters(uri.getQueryParameters(), Set.of("limit"));
        return new Page(jobs.latest(parameters.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT)));
    }

    /** One, with what it has done so far. */
    @GET
    @Path("{executionId}")
    public JobRun get(@PathParam("executionId") String executionId, @Context UriInfo uri) {
        Parameters.none(uri);
        return jobs.status(id(executionId));
    }

    /** Asks one to end. That is accepted, not done, when the answer leaves; one that has ended stays as it is. */
    @POST
    @Path("{executionId}/stop")
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed(Roles.OPERATOR)
    public Response stop(
            @PathParam("executionId") String executionId,
            byte[] body,
            @Context SecurityContext caller,
            @Context UriInfo uri) {
        Parameters.none(uri);
        return Response.accepted(jobs.stop(id(executionId), ActBody.read(body).act(caller)))
                .build();
    }

    private static long id(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw AdminException.invalidParameter("executionId", "executionId is not a whole number");
        }
    }

    /** Executions, newest first. */
    public record Page(List<JobRun> jobs) {}
}
