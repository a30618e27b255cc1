package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxFilter;
import io.turnframe.outbox.store.OutboxQueries;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;

/** All entries that pass a filter, without payloads, to be compared with what a counterparty has. */
@Path("export")
@RequestScoped
@Produces({ExportFormat.CSV_TYPE, ExportFormat.JSON_LINES_TYPE})
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class ExportResource {
    private static final Set<String> KNOWN = FilterParameters.with("format");

    @EJB
    private OutboxQueries queries;

    /** Newest first; those whose outcome is unknown, unless another status is asked for. */
    @GET
    public Response export(@Context UriInfo uri) {
        Parameters parameters = new Parameters(uri.getQueryParameters(), KNOWN);
        ExportFormat format = ExportFormat.ofLabel(parameters.text("format", 16));
        OutboxFilter asked = FilterParameters.read(parameters);
        OutboxFilter filter = asked.status() == null ? asked.withStatus(OutboxStatus.OUTCOME_UNKNOWN) : asked;
        OutboxQueries pages = queries;
        StreamingOutput rows = target -> format.write(pages, filter, target);
        return Response.ok(rows, format.mediaType())
                .header("Content-Disposition", "attachment; filename=\"outbox." + format.label() + "\"")
                .build();
    }
}
