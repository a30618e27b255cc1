package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.BulkDesk;
import io.turnframe.outbox.batch.BulkStatus;
import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.BulkPlan;
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

/** Acts on every entry that passes a filter; those of the node that answers. */
@Path("bulk")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class BulkResource {
    @EJB
    private BulkDesk desk;

    /** Tells to how many entries it would be done and to which first; or does it, if that count is named. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed(Roles.OPERATOR)
    public Response bulk(byte[] body, @Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        BulkBody said = BulkBody.read(body);
        // Also for a dry run: what it shows can then be done by the same words.
        Act act = said.act(caller);
        if (said.isDryRun()) {
            BulkPlan plan = desk.plan(said.bulk());
            return Response.ok(new Plan(
                            plan.count(),
                            plan.first().stream().map(RecordView::of).toList()))
                    .build();
        }
        return Response.accepted(desk.start(said.bulk(), said.expected(), act)).build();
    }

    /** The latest, newest first. */
    @GET
    public Page latest(@Context UriInfo uri) {
        Parameters.none(uri);
        return new Page(desk.latest());
    }

    /** How far one has come. */
    @GET
    @Path("{bulkId}")
    public BulkStatus get(@PathParam("bulkId") String bulkId, @Context UriInfo uri) {
        Parameters.none(uri);
        return desk.status(Parameters.uuid("bulkId", bulkId));
    }

    /** Has one end before its next step; what is done stays done. */
    @POST
    @Path("{bulkId}/cancel")
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed(Roles.OPERATOR)
    public Response cancel(
            @PathParam("bulkId") String bulkId, byte[] body, @Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        return Response.accepted(desk.cancel(
                        Parameters.uuid("bulkId", bulkId), ActBody.read(body).act(caller)))
                .build();
    }

    /** To how many entries it would be done, and the first of them. */
    public record Plan(long count, List<RecordView> first) {}

    /** Bulk acts. */
    public record Page(List<BulkStatus> bulk) {}
}
