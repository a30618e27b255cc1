package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.ApiDocument.Operation;
import io.turnframe.outbox.it.admin.Client.Answer;
import io.turnframe.outbox.it.admin.GoodCalls.Call;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every operation of the served OpenAPI document answers as that says: status, headers, media type and body. */
class OpenApiIT extends AdminResource {
    /** The users of the server, and the roles each has. */
    private static final Map<String, Set<String>> USERS = Map.of(
            "viewer",
            Set.of("outbox-viewer"),
            "clerk",
            Set.of("outbox-viewer", "outbox-operator"),
            OtherUsers.READER,
            Set.of("outbox-payload"),
            OtherUsers.STRANGER,
            Set.of());

    private final ApiDocument document = ApiDocument.served();
    private final Client operator = Client.of("operator");
    private final Map<String, Client> others =
            USERS.keySet().stream().collect(Collectors.toMap(user -> user, Client::of));
    private final List<String> misfits = new ArrayList<>();

    @BeforeEach
    void addUsers() {
        OtherUsers.add();
    }

    @AfterEach
    void letGo() {
        operator.call("POST", "/hold", "{\"held\":false}");
        operator.call("PUT", "/destinations/airline", "{\"held\":false}");
    }

    @Test
    void answersGoodInputAsDocumented() {
        GoodCalls calls = new GoodCalls("Ada");
        for (Operation operation : document.operations()) {
            Answer answer = calls.of(operation.id()).by(operator);
            check(operation, "good input", answer);
            if (answer.status() >= 300) {
                misfits.add(operation.call() + ": good input is answered by " + answer.status() + " " + answer.text());
            }
        }
        assertThat(misfits).isEmpty();
    }

    @Test
    void takesEveryParameterThatItDocuments() {
        for (Operation operation : document.operations()) {
            for (JsonObject parameter : operation.parameters("query")) {
                String path = operation.path() + "?" + parameter.getString("name") + "=" + encoded(good(parameter));
                Answer answer = operator.call(operation.method(), path, null);
                check(operation, path, answer);
                if (answer.status() != 200) {
                    misfits.add(path + " is answered by " + answer.status() + " " + answer.text());
                }
            }
        }
        assertThat(misfits).isEmpty();
    }

    @Test
    void refusesParametersThatDoNotFit() {
        for (Operation operation : document.operations()) {
            for (JsonObject parameter : operation.parameters("path")) {
                for (String text : BadInputs.texts(parameter.getJsonObject("schema"))) {
                    refuse(operation, with(operation.path(), parameter.getString("name"), text), 400);
                }
            }
            for (JsonObject parameter : operation.parameters("query")) {
                String name = parameter.getString("name");
                for (String text : BadInputs.texts(parameter.getJsonObject("schema"))) {
                    refuse(operation, operation.path() + "?" + name + "=" + encoded(text), 400);
                }
                String good = name + "=" + encoded(good(parameter));
                refuse(operation, operation.path() + "?" + good + "&" + good, 400);
            }
            refuse(operation, filled(operation) + "?colour=red", 400);
        }
        assertThat(misfits).isEmpty();
    }

    @Test
    void refusesBodiesThatDoNotFit() {
        GoodCalls calls = new GoodCalls("Ada");
        BadInputs bad = new BadInputs(document);
        for (Operation operation : document.operations()) {
            if (operation.hasBody()) {
                JsonObject good = Json.createReader(
                                new StringReader(calls.of(operation.id()).body()))
                        .readObject();
                assertThat(operation.misfitsOfRequest(good.toString()))
                        .as(operation.call())
                        .isEmpty();
                bad.bodies(operation.bodySchema(), good).forEach((what, body) -> sendBody(operation, what, body));
                if (operation.needsBody()) {
                    sendBody(operation, "an empty body", "");
                }
                check(
                        operation,
                        "no JSON",
                        415,
                        operator.call(operation.method(), filled(operation), "x", "Content-Type", "text/plain"));
                check(
                        operation,
                        "too large",
                        413,
                        operator.call(operation.method(), filled(operation), " ".repeat((8 << 20) + (64 << 10) + 1)));
            }
        }
        assertThat(misfits).isEmpty();
    }

    /** What the schema refuses is refused; what it lets pass may still be refused, by a documented answer. */
    private void sendBody(Operation operation, String what, String body) {
        Answer answer = operator.call(operation.method(), filled(operation), body);
        check(operation, what, answer);
        boolean fits = !body.isEmpty() && operation.misfitsOfRequest(body).isEmpty();
        if (!fits && answer.status() != 400) {
            misfits.add(operation.call() + ", " + what + ": it does not fit and is answered by " + answer.status());
        }
    }

    @Test
    void refusesWhoeverNamesNoUserOrAWrongPassword() {
        // Not one of the users: WildFly turns such a one away for a while after some wrong passwords.
        List<Client> strangers = List.of(Client.nobody(), Client.of("mallory", "wrong"));
        for (Operation operation : document.operations()) {
            for (Client client : strangers) {
                Answer answer = client.call(operation.method(), filled(operation), body(operation));
                boolean isOpen = operation.roles().isEmpty();
                if (!isOpen) {
                    check(operation, "no user", 401, answer);
                    assertThat(code(answer)).isEqualTo("turnframe.admin.unauthenticated");
                    assertThat(answer.header("WWW-Authenticate")).startsWith("Basic");
                }
            }
            if (operation.roles().isEmpty()) {
                check(operation, "no user", 200, strangers.get(0).call(operation.method(), operation.path(), null));
            }
        }
        assertThat(misfits).isEmpty();
    }

    @Test
    void refusesWhoeverLacksTheRole() {
        for (Operation operation : document.operations()) {
            int refused = 0;
            for (Map.Entry<String, Set<String>> user : USERS.entrySet()) {
                if (user.getValue().stream().noneMatch(operation.roles()::contains)
                        && !operation.roles().isEmpty()) {
                    Answer answer =
                            others.get(user.getKey()).call(operation.method(), filled(operation), body(operation));
                    check(operation, user.getKey(), 403, answer);
                    assertThat(code(answer)).as(operation.call()).isEqualTo("turnframe.admin.forbidden");
                    refused++;
                }
            }
            assertThat(refused > 0)
                    .as(operation.call())
                    .isEqualTo(!operation.roles().isEmpty());
        }
        assertThat(misfits).isEmpty();
    }

    @Test
    void answersUnknownIdsAsDocumented() {
        for (Operation operation : document.operations()) {
            if (operation.path().contains("d}")) {
                Answer answer = operator.call(operation.method(), filled(operation), body(operation));
                check(operation, "an unknown id", operation.documents(404) ? 404 : 200, answer);
            }
        }
        assertThat(misfits).isEmpty();
    }

    @Test
    void refusesActsOnAVersionThatIsNoLongerThePresentOne() {
        GoodCalls calls = new GoodCalls("Ada");
        for (Operation operation : document.operations()) {
            assertThat(operation.documents(412)).isEqualTo(operation.hasParameter("If-Match"));
            if (operation.documents(412)) {
                Call call = calls.of(operation.id());
                String record = call.path().replaceFirst("/[^/]*$", "");
                String before = operator.call("GET", record, null).text();
                for (String tag : List.of("\"stale\"", "W/\"weak\"", "no tag")) {
                    Answer answer = call.by(operator, "If-Match", tag);
                    check(operation, tag, 412, answer);
                    assertThat(code(answer)).isEqualTo("turnframe.admin.stale");
                }
                assertThat(operator.call("GET", record, null).text()).isEqualTo(before);
                String tag = operator.call("GET", record, null).header("ETag");
                check(operation, tag, 200, call.by(operator, "If-Match", tag));
            }
        }
        assertThat(misfits).isEmpty();
    }

    private void refuse(Operation operation, String path, int status) {
        check(operation, path, status, operator.call(operation.method(), path, body(operation)));
    }

    private void check(Operation operation, String input, int status, Answer answer) {
        check(operation, input, answer);
        if (answer.status() != status) {
            misfits.add(operation.call() + ", " + input + ": it is not answered by " + status + " but by "
                    + answer.status() + " " + answer.text());
        }
    }

    private void check(Operation operation, String input, Answer answer) {
        Conformance.misfits(operation, answer)
                .forEach(misfit -> misfits.add(operation.call() + ", " + input + ": " + misfit));
    }

    private static String code(Answer answer) {
        return answer.json().getString("code", null);
    }

    /** A body that is let pass, so that something else is found wrong; null if the operation takes none. */
    private static String body(Operation operation) {
        if (!operation.hasBody()) {
            return null;
        }
        return switch (operation.id()) {
            case "reschedule" -> "{\"next_attempt_at\":\"" + GoodCalls.LATER + "\"}";
            case "authoriseResend" -> "{\"note\":\"n\"}";
            case "bulk" -> "{\"act\":\"resubmit\",\"filter\":{},\"dry_run\":true}";
            case "hold", "sayOfDestination" -> "{\"held\":false}";
            case "enqueue" -> "{\"destination\":\"airline\"}";
            default -> "{}";
        };
    }

    /** The path with ids of nothing in it. */
    private static String filled(Operation operation) {
        String path = operation.path();
        for (JsonObject parameter : operation.parameters("path")) {
            path = with(path, parameter.getString("name"), good(parameter));
        }
        return path;
    }

    private static String with(String path, String name, String value) {
        return path.replace("{" + name + "}", encoded(value));
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String good(JsonObject parameter) {
        JsonObject schema = parameter.getJsonObject("schema");
        if (parameter.getString("name").equals("cursor")) {
            return "AAZhc2d8DwoBoinU3Cx8oJ8UdmVOHr34";
        }
        if (schema.containsKey("enum")) {
            return schema.getJsonArray("enum").getString(0);
        }
        return switch (schema.getString("format", schema.getString("type"))) {
            case "uuid" -> UUID.randomUUID().toString();
            case "date-time" -> "2026-11-30T08:15:00.123456+01:00";
            case "integer" -> "7";
            case "int64" -> "987654321";
            default -> "airline";
        };
    }
}
