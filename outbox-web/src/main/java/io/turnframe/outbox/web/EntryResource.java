package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.AdminSettings;
import io.turnframe.outbox.batch.ReconcileDesk;
import io.turnframe.outbox.batch.Reconciliation;
import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.Authorisation;
import io.turnframe.outbox.store.ConfigValues;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.OutboxOperations;
import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.RecordStory;
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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** One entry: its record, its payload, and what operators do to it. Each act answers with the record as it is then. */
@Path("entries/{id}")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Roles.OPERATOR)
public class EntryResource {
    @EJB
    private OutboxQueries queries;

    @EJB
    private DispatchStore store;

    @EJB
    private OutboxOperations operations;

    @EJB
    private ReconcileDesk desk;

    @PathParam("id")
    private String id;

    @Context
    private SecurityContext caller;

    @Context
    private HttpHeaders headers;

    @Context
    private UriInfo uri;

    /** The record with its story, and with its payload for those who may see it. */
    @GET
    @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
    public Response get() {
        UUID outboxId = outboxId();
        RecordStory story = queries.story(outboxId);
        String tag = tag(story);
        if (RecordTag.isKnown(headers.getHeaderString(HttpHeaders.IF_NONE_MATCH), tag)) {
            return tagged(Response.notModified(), tag);
        }
        return tagged(Response.ok(view(story)), tag);
    }

    /** The payload, byte for byte as it is sent. */
    @GET
    @Path("payload")
    @RolesAllowed(Roles.PAYLOAD)
    public StreamingOutput payload() {
        byte[] bytes = store.get(outboxId()).entry().payload().getBytes(StandardCharsets.UTF_8);
        return target -> target.write(bytes);
    }

    /** Declares that the remote has done it. */
    @POST
    @Path("complete")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response complete(byte[] body) {
        UUID outboxId = outboxId();
        operations.complete(outboxId, ActBody.read(body).act(caller, headers));
        return record(outboxId);
    }

    /** Declares that the remote has not done it, and that it is not to be sent. */
    @POST
    @Path("fail")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response fail(byte[] body) {
        UUID outboxId = outboxId();
        ActBody said = ActBody.read(body, "code");
        operations.fail(outboxId, said.code(), said.act(caller, headers));
        return record(outboxId);
    }

    /** Gives a pending entry another time. */
    @POST
    @Path("reschedule")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response reschedule(byte[] body) {
        UUID outboxId = outboxId();
        ActBody said = ActBody.read(body, "next_attempt_at");
        operations.reschedule(outboxId, said.nextAttemptAt(), said.act(caller, headers));
        return record(outboxId);
    }

    /** Has a failed entry sent again. */
    @POST
    @Path("resubmit")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response resubmit(byte[] body) {
        UUID outboxId = outboxId();
        operations.resubmit(outboxId, ActBody.read(body).act(caller, headers));
        return record(outboxId);
    }

    /** Has an entry of unknown outcome sent again, on evidence; the second of two persons does it, if two are needed. */
    @POST
    @Path("authorise-resend")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response authoriseResend(byte[] body) {
        UUID outboxId = outboxId();
        Act act = ActBody.read(body).act(caller, headers);
        if (act.note() == null) {
            throw AdminException.malformedJson(
                    "note is missing; write how it is known that the remote has not done it");
        }
        Authorisation went =
                operations.authoriseResend(outboxId, act, AdminSettings.needsSecondPerson(ConfigValues.ofServer()));
        RecordStory story = queries.story(outboxId);
        Resend answer = new Resend(went.authorised(), went.requestedBy(), view(story));
        return tagged(went.authorised() ? Response.ok(answer) : Response.accepted(answer), tag(story));
    }

    /** Asks the entry's remote what became of it, and settles it by the answer. */
    @POST
    @Path("reconcile")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response reconcile(byte[] body) {
        UUID outboxId = outboxId();
        Act act = ActBody.read(body).act(caller, headers);
        if (act.versions() != null) {
            operations.check(outboxId, act);
        }
        Reconciliation ended = desk.reconcile(outboxId, act);
        RecordStory story = queries.story(outboxId);
        return tagged(Response.ok(ReconciledView.of(ended, view(story))), tag(story));
    }

    /** Replaces the payload of an ended entry, for ever. */
    @POST
    @Path("erase-payload")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response erasePayload(byte[] body) {
        UUID outboxId = outboxId();
        operations.erasePayload(outboxId, ActBody.read(body).act(caller, headers));
        return record(outboxId);
    }

    /** None of the calls takes query parameters. */
    private UUID outboxId() {
        Parameters.none(uri);
        return Parameters.uuid("id", id);
    }

    private Response record(UUID outboxId) {
        RecordStory story = queries.story(outboxId);
        return tagged(Response.ok(view(story)), tag(story));
    }

    private StoryView view(RecordStory story) {
        String payload =
                seesPayloads() ? store.get(story.summary().outboxId()).entry().payload() : null;
        return new StoryView(story, payload);
    }

    private String tag(RecordStory story) {
        return RecordTag.of(story.version(), seesPayloads());
    }

    private boolean seesPayloads() {
        return caller.isUserInRole(Roles.PAYLOAD);
    }

    private static Response tagged(Response.ResponseBuilder response, String tag) {
        return response.header(HttpHeaders.ETAG, tag)
                .header(HttpHeaders.VARY, HttpHeaders.AUTHORIZATION)
                .build();
    }

    /**
     * How an authorisation to send again went.
     *
     * @param authorised whether it is pending now; if not, another operator has to authorise it too
     * @param requestedBy who asked for it first; null where one operator is enough
     */
    public record Resend(boolean authorised, String requestedBy, StoryView record) {}
}
