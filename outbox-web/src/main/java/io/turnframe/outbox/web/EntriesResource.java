package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.batch.AdminSettings;
import io.turnframe.outbox.store.ConfigValues;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.OutboxFilter;
import io.turnframe.outbox.store.OutboxPage;
import io.turnframe.outbox.store.OutboxQueries;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.Set;
import java.util.UUID;

/** Entries: pages of them, and a new one. */
@Path("entries")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class EntriesResource {
    private static final int DEFAULT_LIMIT = 50;

    private static final Set<String> KNOWN = FilterParameters.with("limit", "cursor");

    @EJB
    private OutboxQueries queries;

    @EJB
    private DispatchStore store;

    /** A page without payloads, newest first. */
    @GET
    public PageView page(@Context UriInfo uri) {
        Parameters parameters = new Parameters(uri.getQueryParameters(), KNOWN);
        OutboxFilter filter = FilterParameters.read(parameters);
        int limit = parameters.integer("limit", 1, OutboxQueries.MAX_LIMIT, DEFAULT_LIMIT);
        OutboxPage page = queries.page(filter, Cursor.decode(parameters.text("cursor", Cursor.MAX_LENGTH)), limit);
        return new PageView(page.entries().stream().map(RecordView::of).toList(), Cursor.encode(page.next()));
    }

    /** Enqueues one entry in a transaction of its own; it is committed when the answer leaves. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed(Roles.ENQUEUER)
    public Response enqueue(byte[] body, @Context UriInfo uri, @Context SecurityContext caller) {
        Parameters.none(uri);
        if (!AdminSettings.mayEnqueue(ConfigValues.ofServer())) {
            throw AdminException.enqueueDisabled();
        }
        OutboxEntry entry = OutboxJson.read(body, EntryJson::read);
        try {
            store.enqueueAlone(entry);
        } catch (OutboxConflictException duplicate) {
            throw isStored(entry.outboxId()) ? duplicate : duplicateKey(entry);
        }
        RecordView view = RecordView.of(new OutboxRecord(entry, null, null, null));
        URI location = uri.getBaseUriBuilder()
                .path("entries")
                .path(entry.outboxId().toString())
                .build();
        return Response.created(location)
                .entity(caller.isUserInRole(Roles.PAYLOAD) ? view : RecordView.of(view.summary()))
                .build();
    }

    private boolean isStored(UUID outboxId) {
        try {
            queries.get(outboxId);
            return true;
        } catch (OutboxNotFoundException absent) {
            return false;
        }
    }

    /** Without the id of the body, or the fresh one: it names no entry. */
    private static OutboxConflictException duplicateKey(OutboxEntry entry) {
        return new OutboxConflictException(
                "another entry for destination " + entry.destination() + " has this idempotency key", null);
    }
}
