package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.admin.Client.Answer;
import jakarta.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** For each operation of the document a call that is as it should be, on entries that the call is meant for. */
final class GoodCalls {
    /** A time that does not come while the tests run. */
    static final String LATER = "2099-01-01T00:00:00Z";

    /** How often a call that uses up an entry can be made. */
    private static final int ENTRIES = 5;

    private final AdminCalls admin = new AdminCalls();
    private final Deque<String> unknown = new ArrayDeque<>();
    private final Deque<String> failed = new ArrayDeque<>();
    private final String passenger;

    /**
     * What is sent.
     *
     * @param path below the root of the resource
     * @param body null for none
     * @param headers names and values in turns
     */
    record Call(String method, String path, String body, String... headers) {
        Answer by(Client client, String... more) {
            return client.call(
                    method,
                    path,
                    body,
                    Stream.of(headers, more).flatMap(Stream::of).toArray(String[]::new));
        }
    }

    /** @param passenger stands in all payloads */
    GoodCalls(String passenger) {
        this.passenger = passenger;
        List<String> silent = entries("silent");
        List<String> refused = entries("refuse");
        silent.forEach(id -> admin.await(id, "outcome_unknown"));
        refused.forEach(id -> admin.await(id, "failed"));
        unknown.addAll(silent);
        failed.addAll(refused);
    }

    private List<String> entries(String behaviour) {
        return Stream.generate(() -> admin.enqueue(behaviour, "", passenger))
                .limit(ENTRIES)
                .toList();
    }

    /** The id of an entry that is in this status. */
    String entry(String status) {
        return switch (status) {
            case "outcome_unknown" -> unknown.remove();
            case "failed" -> failed.remove();
            case "pending" ->
                admin.post("/entries", newEntry("\"next_attempt_at\":\"" + LATER + "\","))
                        .json()
                        .getJsonObject("entry")
                        .getString("outbox_id");
            default -> throw new IllegalArgumentException(status);
        };
    }

    /** @throws IllegalArgumentException for an operation that nobody thought of here */
    Call of(String operationId) {
        return switch (operationId) {
            case "pageOfEntries" -> get("/entries?status=failed&destination=airline&limit=3");
            case "enqueue" -> post("/entries", newEntry(""));
            case "record" -> get("/entries/" + failed.peek());
            case "payload" -> get("/entries/" + failed.peek() + "/payload");
            case "complete" -> act("outcome_unknown", "complete", "{\"note\":\"they have it\"}");
            case "fail" -> act("outcome_unknown", "fail", "{\"code\":\"airline.lost\",\"note\":\"they have it not\"}");
            case "reschedule" -> act("pending", "reschedule", "{\"next_attempt_at\":\"" + LATER + "\",\"note\":\"n\"}");
            case "resubmit" -> act("failed", "resubmit", "{\"note\":\"a seat is free\"}");
            case "authoriseResend" -> act("outcome_unknown", "authorise-resend", "{\"note\":\"not on their list\"}");
            case "reconcile" -> post("/entries/" + failed.peek() + "/reconcile", "{\"note\":\"n\"}");
            case "erasePayload" -> act("failed", "erase-payload", "{\"note\":\"asked to\"}");
            case "entriesOfCommand" -> get("/commands/" + command() + "/entries");
            case "export" -> get("/export?status=failed&destination=airline&format=jsonl");
            case "releaseClaims" -> post("/claims/release", "{\"note\":\"n\"}");
            case "bulk" -> post("/bulk", "{\"act\":\"resubmit\",\"filter\":{},\"dry_run\":true}");
            case "latestBulks" -> get("/bulk");
            case "bulkStatus" -> get("/bulk/" + bulk());
            case "cancelBulk" -> post("/bulk/" + bulk() + "/cancel", "{\"note\":\"n\"}");
            case "dispatch" -> post("/dispatch", "{\"batch_size\":3,\"send_timeout\":\"1s\",\"worker_id\":\"w\"}");
            case "latestJobs" -> get("/jobs?limit=5");
            case "job" -> get("/jobs/" + execution());
            case "stopJob" -> post("/jobs/" + execution() + "/stop", "{\"note\":\"n\"}");
            case "destinations" -> get("/destinations");
            case "sayOfDestination" ->
                new Call(
                        "PUT",
                        "/destinations/airline",
                        "{\"held\":false,\"concurrency\":8,\"rate\":1000.5,\"note\":\"n\"}");
            case "hold" -> post("/hold", "{\"held\":false,\"note\":\"n\"}");
            case "audit" -> get("/audit?limit=50");
            case "stats" -> get("/stats");
            case "history" -> get("/history");
            case "metrics" -> get("/metrics");
            case "me" -> get("/me");
            case "health" -> get("/health");
            case "live" -> get("/health/live");
            case "ready" -> get("/health/ready");
            case "openapi" -> get("/openapi.json");
            default -> throw new IllegalArgumentException("there is no good call of " + operationId + "; write one");
        };
    }

    private static Call get(String path) {
        return new Call("GET", path, null);
    }

    private static Call post(String path, String body) {
        return new Call("POST", path, body);
    }

    private Call act(String status, String act, String body) {
        return post("/entries/" + entry(status) + "/" + act, body);
    }

    private String newEntry(String more) {
        return "{" + more + "\"outbox_id\":\"" + UUID.randomUUID() + "\",\"command_id\":\"" + UUID.randomUUID()
                + "\",\"destination\":\"airline\",\"idempotency_key\":\"" + UUID.randomUUID()
                + "\",\"created_at\":\"2026-11-30T08:00:00Z\",\"payload\":{\"booking\":\"b\",\"passenger\":\""
                + passenger + "\","
                + "\"flight\":\"TF1\",\"behaviour\":\"refuse\"}}";
    }

    private String command() {
        return admin.record(failed.peek()).getJsonObject("entry").getString("command_id");
    }

    private String execution() {
        return admin.post("/dispatch", "{}").json().get("execution_id").toString();
    }

    /** One on nothing. */
    private String bulk() {
        JsonObject started = admin.post(
                        "/bulk", "{\"act\":\"resubmit\",\"filter\":{\"destination\":\"nowhere\"},\"expected\":0}")
                .json();
        return started.getString("bulk_id");
    }
}
