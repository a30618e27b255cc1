package io.turnframe.outbox.web;

import io.turnframe.outbox.store.AuditPage;
import io.turnframe.outbox.store.AuditRecord;
import io.turnframe.outbox.store.OutboxQueries;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Set;

/** What operators did. */
@Path("audit")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class AuditResource {
    private static final int DEFAULT_LIMIT = 50;

    @EJB
    private OutboxQueries queries;

    /** A page of it, newest first. */
    @GET
    public Page page(@Context UriInfo uri) {
        Parameters parameters = new Parameters(uri.getQueryParameters(), Set.of("limit", "cursor"));
        int limit = parameters.integer("limit", 1, OutboxQueries.MAX_LIMIT, DEFAULT_LIMIT);
        AuditPage page = queries.audit(Cursor.decode(parameters.text("cursor", Cursor.MAX_LENGTH)), limit);
        return new Page(page.acts(), Cursor.encode(page.next()));
    }

    /**
     * Some acts.
     *
     * @param nextCursor where the next page starts, or null if this is the last
     */
    public record Page(List<AuditRecord> acts, String nextCursor) {}
}
