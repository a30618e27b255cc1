package io.turnframe.outbox.web;

import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.BulkAct;
import io.turnframe.outbox.store.OutboxFilter;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What is to be done to many entries, and on which count. */
final class BulkBody {
    private BulkAct.Kind kind;
    private OutboxFilter filter;
    private Instant nextAttemptAt;
    private String code;
    private String note;
    private Integer expected;
    private Boolean dryRun;

    private BulkBody() {}

    /** @throws AdminException if it is no such object */
    static BulkBody read(byte[] body) {
        return OutboxJson.read(body, new BulkBody()::fill);
    }

    private BulkBody fill(ObjectReader fields) {
        while (fields.next()) {
            switch (fields.name()) {
                case "act" -> kind = kind(fields.text());
                case "filter" -> filter = filter(fields.object());
                case "next_attempt_at" -> nextAttemptAt = fields.instant();
                case "code" -> code = fields.text();
                case "note" -> note = fields.text();
                case "expected" -> expected = fields.nullableInteger();
                case "dry_run" -> dryRun = fields.flag();
                default ->
                    throw AdminException.malformedJson(
                            "only act, filter, next_attempt_at, code, note, expected and dry_run can be said");
            }
        }
        if (kind == null || filter == null) {
            throw AdminException.malformedJson("act and filter are needed; the filter {} is every entry");
        }
        if (isDryRun() == (expected != null)) {
            throw AdminException.malformedJson(
                    "write \"dry_run\": true to be told the count, and then \"expected\" with that count");
        }
        return this;
    }

    private static BulkAct.Kind kind(String label) {
        return Arrays.stream(BulkAct.Kind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> AdminException.malformedJson("act is none of "
                        + Arrays.stream(BulkAct.Kind.values())
                                .map(BulkAct.Kind::label)
                                .collect(Collectors.joining(", "))));
    }

    /**
     * With the names and the texts of the query parameters; but one without a value, as a script makes of a variable that is
     * not set, must not mean all.
     */
    private static OutboxFilter filter(ObjectReader fields) {
        var given = new MultivaluedHashMap<String, String>();
        while (fields.next()) {
            String value = fields.text();
            if (value == null || value.isBlank()) {
                throw AdminException.malformedJson(
                        "filter." + fields.name() + " has no value; leave it out to mean all, or write one");
            }
            given.add(fields.name(), value);
        }
        return FilterParameters.read(new Parameters(given, FilterParameters.NAMES));
    }

    boolean isDryRun() {
        return Boolean.TRUE.equals(dryRun);
    }

    /** Null for a dry run. */
    Integer expected() {
        return expected;
    }

    BulkAct bulk() {
        return new BulkAct(kind, filter, nextAttemptAt, code);
    }

    Act act(SecurityContext caller) {
        return Act.of(ActBody.name(caller), note);
    }
}
