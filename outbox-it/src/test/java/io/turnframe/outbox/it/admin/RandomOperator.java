package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.admin.Client.Answer;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.awaitility.Awaitility;

/** Somebody who does one thing after the other, whatever the entries are at. */
final class RandomOperator {
    /** What an act on a row that moves may be answered by. */
    private static final Set<Integer> EXPECTED = Set.of(200, 202, 404, 409, 412, 503);

    private static final List<String> STATUSES = List.of("pending", "dispatching", "failed", "outcome_unknown");

    private final Client client;
    private final SplittableRandom random;
    private final List<String> destinations;
    private final ConcurrentMap<String, Integer> done = new ConcurrentHashMap<>();
    private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();

    RandomOperator(String user, long seed, List<String> destinations) {
        client = Client.of(user);
        random = new SplittableRandom(seed);
        this.destinations = destinations;
    }

    /** How often which act was done. */
    Map<String, Integer> done() {
        return Map.copyOf(done);
    }

    /** Answers that none of the acts should have. */
    List<String> unexpected() {
        return List.copyOf(unexpected);
    }

    /** One act. */
    void act() {
        switch (random.nextInt(20)) {
            case 0 -> hold();
            case 1 -> destination();
            case 2 -> bulk();
            case 3 -> say("release", "POST", "/claims/release", "{}");
            case 4 -> say("dispatch", "POST", "/dispatch", "{\"batch_size\":" + (1 + random.nextInt(50)) + "}");
            case 5 -> stopAJob();
            case 6, 7, 8 -> onEntry("complete", "{}", "dispatching", "outcome_unknown");
            case 9, 10, 11 -> onEntry("fail", "{\"code\":\"operator.says\"}", "dispatching", "outcome_unknown");
            case 12 ->
                onEntry(
                        "reschedule",
                        "{\"next_attempt_at\":\"" + Instant.now().plusMillis(random.nextInt(1_000)) + "\"}",
                        "pending");
            case 13, 14 -> onEntry("resubmit", "{}", "failed");
            case 15, 16 -> onEntry("authorise-resend", "{\"note\":\"not on their list\"}", "outcome_unknown");
            case 17, 18 -> onEntry("reconcile", "{}", "outcome_unknown");
            default -> onEntry("resubmit", "{\"note\":\"now\"}", "failed", "dispatching");
        }
    }

    /** On an entry that was in one of these statuses, or in any, a moment ago. */
    private void onEntry(String act, String body, String... statuses) {
        String status = random.nextInt(10) == 0
                ? STATUSES.get(random.nextInt(STATUSES.size()))
                : statuses[random.nextInt(statuses.length)];
        JsonArray entries = get("/entries?limit=100&status=" + status).getJsonArray("entries");
        if (entries.isEmpty()) {
            return;
        }
        String id = entries.getJsonObject(random.nextInt(entries.size()))
                .getJsonObject("entry")
                .getString("outbox_id");
        String path = "/entries/" + id;
        if (random.nextBoolean()) {
            say(act, "POST", path + "/" + act, body);
        } else {
            String tag = client.call("GET", path, null).header("ETag");
            say(act, "POST", path + "/" + act, body, "If-Match", tag);
        }
    }

    private void hold() {
        say("hold", "POST", "/hold", "{\"held\":true}");
        say("let go", "POST", "/hold", "{\"held\":false}");
    }

    private void destination() {
        String path = "/destinations/" + destinations.get(random.nextInt(destinations.size()));
        String body = random.nextBoolean() ? "{\"held\":true}" : "{\"held\":false,\"concurrency\":4,\"rate\":100}";
        say("limit", "PUT", path, body);
        if (random.nextBoolean()) {
            say("limit", "PUT", path, "{\"held\":false}");
        }
    }

    private void bulk() {
        String destination = destinations.get(random.nextInt(destinations.size()));
        String act = switch (random.nextInt(4)) {
            case 0 -> "\"act\":\"resubmit\"";
            case 1 -> "\"act\":\"reconcile\"";
            case 2 -> "\"act\":\"fail\",\"code\":\"operator.says\"";
            default -> "\"act\":\"reschedule\",\"next_attempt_at\":\"" + Instant.now() + "\"";
        };
        String what = act + ",\"filter\":{\"destination\":\"" + destination + "\"}";
        Answer plan = say("dry run", "POST", "/bulk", "{" + what + ",\"dry_run\":true}");
        if (plan.status() != 200) {
            return;
        }
        Answer started = say(
                "bulk",
                "POST",
                "/bulk",
                "{" + what + ",\"expected\":" + plan.json().getInt("count") + "}");
        if (started.status() == 202 && random.nextInt(4) == 0) {
            say("cancel", "POST", "/bulk/" + started.json().getString("bulk_id") + "/cancel", "{}");
        }
    }

    private void stopAJob() {
        JsonArray jobs = get("/jobs?limit=1").getJsonArray("jobs");
        if (!jobs.isEmpty()) {
            say("stop", "POST", "/jobs/" + jobs.getJsonObject(0).get("execution_id") + "/stop", "{}");
        }
    }

    private JsonObject get(String path) {
        return client.call("GET", path, null).json();
    }

    private Answer say(String act, String method, String path, String body, String... headers) {
        Answer answer = client.call(method, path, body, headers);
        if (!EXPECTED.contains(answer.status())) {
            unexpected.add(method + " " + path + " " + body + ": " + answer.status() + " " + answer.text());
        } else if (answer.status() < 300) {
            done.merge(act, 1, Integer::sum);
        }
        return answer;
    }

    /** Lets everything go, and waits for the end of a bulk act. */
    void settle(Duration patience) {
        say("let go", "POST", "/hold", "{\"held\":false}");
        destinations.forEach(name -> say("limit", "PUT", "/destinations/" + name, "{\"held\":false}"));
        Awaitility.await("the last bulk act")
                .atMost(patience)
                .until(() -> get("/bulk").getJsonArray("bulk").getValuesAs(JsonObject.class).stream()
                        .noneMatch(bulk -> bulk.getString("status").equals("running")));
    }
}
