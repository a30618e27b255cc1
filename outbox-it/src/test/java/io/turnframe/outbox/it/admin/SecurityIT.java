package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.ApiDocument.Operation;
import io.turnframe.outbox.it.admin.Client.Answer;
import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who sees what and may do what, and what the archive tells browsers. */
class SecurityIT extends AdminResource {
    private static final String HOLD = "/outbox/api/hold";

    /** A row of the table of headers: name and value. */
    private static final Pattern HEADER = Pattern.compile("\\| `([\\w-]+)` \\| `([^`]+)` \\|.*");

    private final Client operator = Client.of("operator");
    private final Client clerk = Client.of("clerk");
    private final Client viewer = Client.of("viewer");
    private final Client nobody = Client.nobody();

    @Test
    void letsAViewerDoNothing() {
        GoodCalls calls = new GoodCalls("Ada");
        for (Operation operation : ApiDocument.served().operations()) {
            if (!operation.method().equals("GET")) {
                Answer answer = calls.of(operation.id()).by(viewer);
                assertThat(answer.status()).as(operation.call()).isEqualTo(403);
                assertThat(answer.json().getString("code")).isEqualTo("turnframe.admin.forbidden");
            }
        }
        assertThat(acts().stream().map(act -> act.getString("actor")))
                .contains("operator")
                .doesNotContain("viewer");
        assertThat(viewer.call("GET", "/me", null).json().getJsonArray("roles")).hasSize(1);
    }

    @Test
    void showsPayloadsToTheirRoleAlone() {
        String marker = "marker" + UUID.randomUUID().toString().replace("-", "");
        GoodCalls calls = new GoodCalls(marker);
        ApiDocument document = ApiDocument.served();
        assertThat(calls.of("record").by(operator).everything()).contains(marker);

        Map<String, Answer> answers = new LinkedHashMap<>();
        for (Operation operation : document.operations()) {
            answers.put(operation.call(), calls.of(operation.id()).by(clerk));
        }
        for (String path : List.of(
                "/entries?limit=500",
                "/export?status=pending",
                "/export?status=pending&format=jsonl",
                "/export?status=failed&format=csv",
                "/export?format=jsonl",
                "/audit?limit=500")) {
            answers.put(path, clerk.call("GET", path, null));
        }
        for (String bulk : List.of(
                "\"act\":\"resubmit\"",
                "\"act\":\"reconcile\"",
                "\"act\":\"fail\",\"code\":\"c\"",
                "\"act\":\"reschedule\",\"next_attempt_at\":\"" + GoodCalls.LATER + "\"")) {
            answers.put(bulk, clerk.call("POST", "/bulk", "{" + bulk + ",\"filter\":{},\"dry_run\":true}"));
        }
        assertThat(answers.get("GET /entries/{id}/payload").status()).isEqualTo(403);
        assertThat(answers.values().stream().filter(answer -> answer.status() < 300))
                .hasSizeGreaterThan(35);

        // What the enqueuing call refuses names no payload either, not even to its sender.
        for (String body : List.of(
                "{\"payload\":{\"" + marker + "\":1},\"payload\":\"" + marker + "\"}",
                "{\"payload\":\"" + marker + "\",\"destination\":5}",
                "{\"payload\":\"" + marker,
                "{\"payload\":{\"" + marker
                        + "\":1e99999999999},\"destination\":\"airline\",\"idempotency_key\":\"k\"}",
                "{\"payload\":\"" + marker + "\",\"destination\":\"\",\"idempotency_key\":\"k\"}",
                calls.of("enqueue")
                        .body()
                        .replaceAll("\"idempotency_key\":\"[^\"]*\"", "\"idempotency_key\":\"\u0001\""))) {
            answers.put(body, operator.call("POST", "/entries", body));
            assertThat(answers.get(body).status()).as(body).isEqualTo(400);
        }
        GoodCalls.Call twice = calls.of("enqueue");
        assertThat(twice.by(operator).status()).isEqualTo(201);
        answers.put("a duplicate", twice.by(operator));
        assertThat(answers.get("a duplicate").status()).isEqualTo(409);

        answers.forEach(
                (what, answer) -> assertThat(answer.everything()).as(what).doesNotContain(marker));
        assertThat(TestServer.server().logged()).noneMatch(line -> line.contains(marker));
    }

    @Test
    void letsNobodyInWithoutAUser() {
        String page = viewer.send("GET", "/outbox/", null).text();
        assertThat(page).contains("<title>Outbox</title>");
        Stream.concat(Stream.of("", "index.html", "api/stats", "nothing-here"), files(page))
                .forEach(path -> {
                    Answer answer = nobody.send("GET", "/outbox/" + path, null);
                    assertThat(answer.status()).as(path).isEqualTo(401);
                    assertThat(answer.header("WWW-Authenticate")).startsWith("Basic");
                    assertThat(answer.text()).as(path).contains("turnframe.admin.unauthenticated");
                });
    }

    @Test
    void refusesWhatAPageOfAnotherSiteSends() {
        String act = "{\"held\":true}";
        Map<Integer, List<List<String>>> forged = Map.of(
                415,
                List.of(
                        List.of("Content-Type", "text/plain"),
                        List.of("Content-Type", "application/x-www-form-urlencoded"),
                        List.of("Content-Type", "multipart/form-data; boundary=x"),
                        List.of()),
                403,
                List.of(
                        List.of("Content-Type", "text/plain", "Origin", "https://elsewhere.example"),
                        List.of("Content-Type", "application/json", "Sec-Fetch-Site", "cross-site"),
                        List.of("Content-Type", "application/json", "Sec-Fetch-Site", "same-site"),
                        List.of("Content-Type", "application/json", "Origin", "https://elsewhere.example"),
                        List.of("Content-Type", "application/json", "Origin", "null")));
        String before = state();
        forged.forEach((status, requests) -> requests.forEach(headers -> {
            Answer answer =
                    operator.send("POST", HOLD, act.getBytes(StandardCharsets.UTF_8), headers.toArray(String[]::new));
            assertThat(answer.status()).as(headers.toString()).isEqualTo(status);
            assertThat(Conformance.misfitsOfProblem(answer)).isEmpty();
        }));
        // A browser asks before a script of another site sends JSON, and hears no yes.
        Answer asked = nobody.send(
                "OPTIONS", HOLD, null, "Origin", "https://elsewhere.example", "Access-Control-Request-Method", "POST");
        assertThat(asked.headers().map().keySet())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control-"));
        assertThat(state()).isEqualTo(before);

        String own = TestServer.server().url("");
        assertThat(operator.call("POST", "/hold", "{\"held\":false}", "Origin", own)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void boundsTheSizeOfWhatItIsSent() {
        byte[] body = ("{" + " ".repeat((8 << 20) + (64 << 10)) + "}").getBytes(StandardCharsets.US_ASCII);
        for (Answer answer : List.of(
                operator.send("POST", HOLD, body, "Content-Type", "application/json"),
                operator.sendChunked("POST", HOLD, body, "Content-Type", "application/json"))) {
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.json().getString("code")).isEqualTo("turnframe.admin.body_too_large");
        }
    }

    @Test
    void sendsTheDocumentedHeadersWithEveryAnswer() throws IOException {
        GoodCalls calls = new GoodCalls("Ada");
        Map<String, Answer> answers = new LinkedHashMap<>();
        for (Operation operation : ApiDocument.served().operations()) {
            answers.put(operation.call(), calls.of(operation.id()).by(operator));
        }
        Answer page = viewer.send("GET", "/outbox/", null);
        answers.put("page", page);
        Map<String, Answer> cached = new LinkedHashMap<>();
        files(page.text())
                .forEach(file -> (file.startsWith("webjars/") ? cached : answers)
                        .put(file, viewer.send("GET", "/outbox/" + file, null)));
        assertThat(cached).isNotEmpty();
        answers.put("not modified", notModified(calls));
        answers.put("400", operator.call("GET", "/entries?limit=x", null));
        answers.put("401", nobody.call("GET", "/stats", null));
        answers.put("401 of the page", nobody.send("GET", "/outbox/", null));
        answers.put("403", viewer.call("POST", "/hold", "{\"held\":true}"));
        answers.put("404", operator.call("GET", "/entries/" + UUID.randomUUID(), null));
        answers.put("404 of the server", operator.send("GET", "/outbox/nothing-here", null));
        answers.put("404 below the resource", operator.call("GET", "/nothing-here", null));
        answers.put("405", operator.call("DELETE", "/stats", null, "Content-Type", "application/json"));
        answers.put("405 of the server", operator.send("DELETE", "/outbox/index.html", null));
        answers.put("406", operator.call("GET", "/stats", null, "Accept", "image/png"));
        answers.put("415", operator.call("POST", "/hold", "x", "Content-Type", "text/plain"));
        answers.put("HEAD", operator.call("HEAD", "/stats", null));
        answers.put("OPTIONS", operator.call("OPTIONS", "/stats", null));

        Map<String, String> documented = documentedHeaders();
        assertThat(documented).hasSizeGreaterThan(6);
        answers.forEach((what, answer) -> assertThat(headers(answer, documented))
                .as(what + " " + answer.status())
                .isEqualTo(documented));
        documented.put("Cache-Control", "private, max-age=86400");
        cached.forEach((what, answer) ->
                assertThat(headers(answer, documented)).as(what).isEqualTo(documented));
        answers.putAll(cached);
        answers.forEach((what, answer) ->
                assertThat(answer.headers().map()).as(what).doesNotContainKeys("x-powered-by", "server", "set-cookie"));
    }

    private Answer notModified(GoodCalls calls) {
        Answer answer = calls.of("record").by(operator);
        Answer again = calls.of("record").by(operator, "If-None-Match", answer.header("ETag"));
        assertThat(again.status()).isEqualTo(304);
        return again;
    }

    private static Map<String, String> headers(Answer answer, Map<String, String> documented) {
        Map<String, String> found = new LinkedHashMap<>();
        documented.keySet().forEach(name -> found.put(name, answer.header(name)));
        return found;
    }

    /** Those of {@code docs/operations/rest.md}. */
    private static Map<String, String> documentedHeaders() throws IOException {
        Path document = Path.of(System.getProperty("it.work"), "../../docs/operations/rest.md");
        return Files.readAllLines(document).stream()
                .map(HEADER::matcher)
                .filter(row -> row.matches())
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> row.group(2), (first, second) -> first, LinkedHashMap::new));
    }

    /** What the page loads. */
    private static Stream<String> files(String page) {
        return Pattern.compile("(?:src|href)=\"((?:app|webjars)/[^\"]+)\"")
                .matcher(page)
                .results()
                .map((MatchResult file) -> file.group(1))
                .toList()
                .stream();
    }

    /** The holds, and who said something of them last: what a forged act would change. */
    private String state() {
        JsonObject destinations = operator.call("GET", "/destinations", null).json();
        return destinations.getJsonObject("hold") + " "
                + acts().stream()
                        .filter(act -> act.getString("act").equals("control"))
                        .findFirst();
    }

    private List<JsonObject> acts() {
        return operator.call("GET", "/audit?limit=500", null)
                .json()
                .getJsonArray("acts")
                .getValuesAs(JsonObject.class);
    }
}
