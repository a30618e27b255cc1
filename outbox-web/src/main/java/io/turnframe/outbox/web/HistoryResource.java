package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.metrics.History;
import io.turnframe.outbox.batch.metrics.LastHour;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;

/** What the node that answers did in the last hour. */
@Path("history")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class HistoryResource {
    @Inject
    private History history;

    /** Settlements by outcome and how long sends took, minute by minute; the database is not asked. */
    @GET
    public Hour lastHour(@Context UriInfo uri) {
        Parameters.none(uri);
        LastHour hour = history.lastHour();
        return new Hour(history.workerId(), hour.total(), hour.minutes());
    }

    /**
     * The last hour of one node.
     *
     * @param workerId which one
     */
    public record Hour(String workerId, LastHour.Minute total, List<LastHour.Minute> minutes) {}
}
