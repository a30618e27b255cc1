package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxWriter;
import io.turnframe.outbox.store.Act;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** What an operator sends with an act: who he is, why, on which version of the record, and with what. */
final class ActBody {
    /** The reason of a failure that an operator declares without naming one. */
    private static final String FAILED = "turnframe.operator.failed";

    private String note;
    private String code = FAILED;
    private Instant nextAttemptAt;

    private ActBody() {}

    /**
     * Reads a body, which may be empty.
     *
     * @param known the fields that mean something to the call beside {@code note}
     * @throws AdminException if it is no such object
     */
    static ActBody read(byte[] body, String... known) {
        ActBody read = new ActBody();
        return body.length == 0 ? read : OutboxJson.read(body, fields -> read.fill(fields, List.of(known)));
    }

    private ActBody fill(ObjectReader fields, List<String> known) {
        while (fields.next()) {
            if (fields.name().equals("note")) {
                note = fields.text();
            } else if (fields.name().equals("code") && known.contains("code")) {
                code = fields.isNull() ? code : fields.text();
            } else if (fields.name().equals("next_attempt_at") && known.contains("next_attempt_at")) {
                nextAttemptAt = fields.instant();
            } else {
                throw AdminException.malformedJson(
                        known.isEmpty()
                                ? "only note can be said"
                                : "only note, " + String.join(", ", known) + " can be said");
            }
        }
        return this;
    }

    /** By the caller, on any version. */
    Act act(SecurityContext caller) {
        return act(caller, null);
    }

    /** By the caller, on the versions that its header {@code If-Match} names, if there is one. */
    Act act(SecurityContext caller, HttpHeaders headers) {
        Set<String> versions =
                headers == null ? null : RecordTag.versions(headers.getHeaderString(HttpHeaders.IF_MATCH));
        return new Act(name(caller), note, versions);
    }

    /** The reason of a failure. */
    String code() {
        return code;
    }

    /** @throws AdminException if it is missing */
    Instant nextAttemptAt() {
        if (nextAttemptAt == null) {
            throw AdminException.malformedJson("next_attempt_at is missing; write an RFC 3339 date and time");
        }
        return nextAttemptAt;
    }

    /** The caller's name, as much of it as is kept. */
    static String name(SecurityContext caller) {
        String name = caller.getUserPrincipal().getName();
        return name.substring(0, Math.min(name.length(), OutboxWriter.MAX_WORKER_ID));
    }
}
