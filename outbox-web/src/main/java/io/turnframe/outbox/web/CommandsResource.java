package io.turnframe.outbox.web;

import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.OutboxQueries;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.UUID;

/** What one business act enqueued. */
@Path("commands")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class CommandsResource {
    @EJB
    private OutboxQueries queries;

    @EJB
    private DispatchStore store;

    /** All its records, oldest first; with their payloads for those who may see them. */
    @GET
    @Path("{id}/entries")
    public PageView entries(@PathParam("id") String id, @Context SecurityContext caller, @Context UriInfo uri) {
        Parameters.none(uri);
        UUID commandId = Parameters.uuid("id", id);
        List<RecordView> views = caller.isUserInRole(Roles.PAYLOAD)
                ? store.listForCommand(commandId).stream().map(RecordView::of).toList()
                : queries.listForCommand(commandId).stream().map(RecordView::of).toList();
        return new PageView(views, null);
    }
}
