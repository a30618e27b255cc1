package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.ApiDocument.Operation;
import io.turnframe.outbox.it.admin.Client.Answer;
import jakarta.json.Json;
import java.io.StringReader;
import java.net.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker sees what it is there to see. */
class ConformanceTest {
    private static final String PROBLEM = "application/problem+json";

    private static final String REFUSED =
            "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"code\":\"turnframe.store.not_found\"%s}";

    private static final Operation THING =
            new ApiDocument(Json.createReader(new StringReader("""
                    {"paths": {"/things/{id}": {"post": {"operationId": "thing", "x-roles": [], "parameters": [],
                      "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                      "responses": {
                        "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
                          "headers": {"ETag": {}}},
                        "304": {},
                        "404": {"content": {"application/problem+json": {"schema": {}}}}}}}},
                     "components": {"schemas": {"Thing": {"type": "object", "required": ["size"], "properties": {
                      "size": {"type": "integer", "minimum": 1}, "at": {"type": "string", "format": "date-time"},
                      "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}}}}}
                    """)).readObject()).operation("thing");

    @Test
    void takesWhatIsDocumented() {
        assertThat(misfits(200, "application/json;charset=UTF-8", "{\"size\":1,\"at\":\"2026-11-30T08:15:00Z\"}"))
                .isEmpty();
        assertThat(misfits(304, "", "")).isEmpty();
        assertThat(misfits(404, PROBLEM, REFUSED.formatted(""))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{}",
                "{\"size\":0}",
                "{\"size\":\"1\"}",
                "{\"size\":1,\"at\":\"yesterday\"}",
                "{\"size\":1,\"colour\":\"red\"}",
                "{\"size\":1,\"parts\":[{\"size\":1,\"colour\":\"red\"}]}"
            })
    void seesABodyThatDoesNotFit(String body) {
        assertThat(misfits(200, "application/json", body)).isNotEmpty();
    }

    @Test
    void seesAStatusAMediaTypeAHeaderAndABodyThatAreNotDocumented() {
        assertThat(misfits(201, "application/json", "{\"size\":1}"))
                .singleElement()
                .asString()
                .contains("201");
        assertThat(misfits(200, "text/plain", "{\"size\":1}"))
                .singleElement()
                .asString()
                .contains("text/plain");
        assertThat(misfits(304, "text/plain", "unchanged"))
                .singleElement()
                .asString()
                .contains("a body");
        Answer untagged = new Answer(200, headers(Map.of("Content-Type", "application/json")), "{\"size\":1}");
        assertThat(Conformance.misfits(THING, untagged)).containsExactly("the documented header ETag is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "{\"status\":404}",
                "{\"status\":404,\"code\":\"oops\"}",
                "{\"status\":404,\"code\":5}",
                "{\"status\":400,\"code\":\"turnframe.store.not_found\"}"
            })
    void seesARefusalWithoutACodeOrWithAnotherStatus(String body) {
        assertThat(misfits(404, PROBLEM, body)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.IllegalStateException: x",
                "at io.turnframe.outbox.web.Problem.of(Problem.java:1)",
                "could not extract ResultSet: SELECT o FROM x",
                "Table tf_outbox not found",
                "a NullPointerException",
                "org.h2.jdbc.JdbcSQLException",
                "SQLSTATE 42000"
            })
    void seesTheInside(String detail) {
        assertThat(misfits(404, PROBLEM, REFUSED.formatted(",\"detail\":\"" + detail + "\"")))
                .singleElement()
                .asString()
                .contains("the inside");
    }

    @Test
    void knowsWhatARequestMayHold() {
        assertThat(THING.misfitsOfRequest("{\"size\":1,\"colour\":\"red\"}")).isEmpty();
        for (String bad : List.of("{}", "{\"size\":null}", "{\"size\":1.5}", "{\"size\"", "")) {
            assertThat(THING.misfitsOfRequest(bad)).as(bad).isNotEmpty();
        }
    }

    private static List<String> misfits(int status, String type, String body) {
        Map<String, String> headers = new HashMap<>(Map.of("ETag", "\"1\""));
        headers.put("Content-Type", type);
        return Conformance.misfits(THING, new Answer(status, headers(headers), body));
    }

    private static HttpHeaders headers(Map<String, String> headers) {
        Map<String, List<String>> lists = new HashMap<>();
        headers.forEach((name, value) -> lists.put(name, List.of(value)));
        return HttpHeaders.of(lists, (name, value) -> true);
    }
}
