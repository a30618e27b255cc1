package io.turnframe.outbox.web;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.batch.BulkDesk;
import io.turnframe.outbox.batch.ReconcileDesk;
import io.turnframe.outbox.store.OutboxOperations;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Problem details (RFC 9457). The type is always {@code about:blank}: programs tell problems apart by {@code code}.
 *
 * @param title the phrase of the status
 * @param detail what to mend, or null; never SQL, a payload or the message of an unforeseen exception
 * @param code a stable identifier
 * @param parameter the path or query parameter at fault, or null
 * @param outboxId the entry it is about, or null
 * @param incident finds the log record of an unforeseen error, else null
 */
@JsonbPropertyOrder({"type", "title", "status", "detail", "code", "parameter", "outboxId", "incident"})
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        String code,
        String parameter,
        UUID outboxId,
        String incident) {
    private static final Set<String> TEMPORARY = Set.of(OutboxException.STORE_UNAVAILABLE, OutboxException.STORE_BUSY);

    /** What the API calls otherwise than JSON does. */
    private static final Pattern FIELD = Pattern.compile(
            "\\b(outboxId|commandId|idempotencyKey|nextAttemptAt|createdAt|completedAt|attemptCount|changedBy)\\b");

    private static final Set<String> NOT_FOUND = Set.of(OutboxException.UNKNOWN_EXECUTION, BulkDesk.UNKNOWN);

    static final String MEDIA_TYPE = "application/problem+json";

    /** The codes of refusals for what the entry, or its remote, is now. */
    private static final Set<String> CONFLICTS = Set.of(
            ReconcileDesk.NO_RECONCILER,
            ReconcileDesk.BEING_ASKED,
            ReconcileDesk.BUSY,
            OutboxOperations.PAYLOAD_ERASED,
            BulkDesk.CHANGED,
            BulkDesk.RUNNING);

    /** The problem of a bare HTTP status. */
    static Problem ofStatus(int status) {
        return of(status, ProblemCodes.ofStatus(status), detailOf(status), null, null, null);
    }

    /** What {@code failure} means to the caller; status 500 without an incident stands for everything unforeseen. */
    static Problem of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AdminException refused) {
                return of(refused.status(), refused.code(), refused.getMessage(), refused.parameter(), null, null);
            }
            if (cause instanceof OutboxException refused) {
                return ofStore(refused);
            }
            if (cause instanceof WebApplicationException refused
                    && refused.getResponse().getStatus() < 500) {
                return ofStatus(refused.getResponse().getStatus());
            }
        }
        return ofStatus(500);
    }

    /** The same problem, to be found in the log under {@code incident}. */
    Problem withIncident(String newIncident) {
        return new Problem(type, title, status, detail, code, parameter, outboxId, newIncident);
    }

    private static Problem ofStore(OutboxException refused) {
        int status = 500;
        if (refused instanceof OutboxNotFoundException || NOT_FOUND.contains(refused.code())) {
            status = 404;
        } else if (refused instanceof OutboxConflictException) {
            status = 409;
        } else if (refused instanceof InvalidRecordException) {
            status = 400;
        } else if (TEMPORARY.contains(refused.code())) {
            status = 503;
        } else if (refused.code().equals(OutboxOperations.STALE)) {
            status = 412;
        } else if (CONFLICTS.contains(refused.code())) {
            status = 409;
        }
        boolean ours = status < 500 || refused.code().equals(OutboxException.STORE_BUSY);
        String detail = ours ? asWritten(refused.getMessage()) : detailOf(status);
        return of(status, refused.code(), detail, null, refused.outboxId(), null);
    }

    /** A sentence about an entry, with the names that stand in its JSON. */
    private static String asWritten(String sentence) {
        return FIELD.matcher(sentence)
                .replaceAll(field -> field.group().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT));
    }

    private static Problem of(
            int status, String code, String detail, String parameter, UUID outboxId, String incident) {
        Response.Status known = Response.Status.fromStatusCode(status);
        String title = known == null ? "HTTP " + status : known.getReasonPhrase();
        return new Problem("about:blank", title, status, detail, code, parameter, outboxId, incident);
    }

    private static String detailOf(int status) {
        return switch (status) {
            case 400 -> "a header has no meaning, perhaps Accept or Content-Type";
            case 401 -> "name a user and a password of the server's realm";
            case 403 -> "the user lacks the role for this";
            case 404 -> "there is nothing at this address";
            case 405 -> "this address does not take that method";
            case 406 -> "the answer is JSON; the Accept header excludes it";
            case 415 -> "send Content-Type: application/json";
            case 500 -> "an unforeseen error; the server's log has it";
            case 503 -> "the database does not answer";
            default -> null;
        };
    }
}
