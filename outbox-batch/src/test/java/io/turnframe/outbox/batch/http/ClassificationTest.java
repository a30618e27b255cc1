package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassificationTest {
    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "200, COMPLETED",
        "201, COMPLETED",
        "204, COMPLETED",
        "400, PERMANENT",
        "410, PERMANENT",
        "422, PERMANENT",
        "401, RETRYABLE",
        "403, RETRYABLE",
        "404, RETRYABLE",
        "405, RETRYABLE",
        "407, RETRYABLE",
        "429, RETRYABLE",
        "408, UNKNOWN",
        "409, UNKNOWN",
        "425, UNKNOWN",
        "500, UNKNOWN",
        "502, UNKNOWN",
        "503, UNKNOWN",
        "504, UNKNOWN",
        "301, UNKNOWN",
        "307, UNKNOWN",
        "199, UNKNOWN",
        "600, UNKNOWN"
    })
    void classifiesByStatus(int status, Dispatched.Kind kind) {
        Dispatched answer = of(null, status, Map.of(), "");
        assertThat(answer.kind()).isEqualTo(kind);
    }

    @Test
    void namesTheStatusInTheCode() {
        assertThat(of(null, 422, Map.of(), "")).isEqualTo(Dispatched.permanent("turnframe.http.status_422"));
    }

    @Test
    void waitsAsLongAsTheRemoteAsks() {
        assertThat(busy("7")).isEqualTo(NOW.plusSeconds(7));
        assertThat(busy("Sun, 01 Nov 2026 12:01:00 GMT")).isEqualTo(NOW.plusSeconds(60));
        assertThat(busy("Sun, 01 Nov 2020 12:01:00 GMT"))
                .as("a date in the past")
                .isBefore(NOW);
        assertThat(busy("999999999")).as("an absurd delay").isEqualTo(NOW.plusSeconds(86_400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1e9", "99999999999999999999"})
    void takesA503WithoutAReadableRetryAfterForUnknown(String value) {
        Dispatched answer = of(null, 503, Map.of("Retry-After", List.of(value)), "");
        assertThat(answer).isEqualTo(Dispatched.unknown());
    }

    @Test
    void keepsTheReferenceTheRemoteGives() {
        Map<String, List<String>> location = Map.of("Location", List.of("/bookings/7"));
        assertThat(of(null, 201, location, "")).isEqualTo(Dispatched.completed("/bookings/7"));
        assertThat(of("/ref/0", 200, location, "{\"ref\":[\"PNR\"]}")).isEqualTo(Dispatched.completed("PNR"));
        assertThat(of("/ref", 200, Map.of(), "{\"ref\":7}")).isEqualTo(Dispatched.completed("7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "[]",
                "{\"ref\":null}",
                "{\"ref\":{}}",
                "{\"other\":1}",
                "{\"ref\":\"  \"}",
                "{\"ref\"",
                "\"scalar\""
            })
    void completesWithoutAReferenceWhereTheBodyHasNone(String body) {
        assertThat(of("/ref", 200, Map.of(), body)).isEqualTo(Dispatched.completed());
    }

    private static Instant busy(String retryAfter) {
        return ((Dispatched.Retryable) of(null, 503, Map.of("Retry-After", List.of(retryAfter)), "")).notBefore();
    }

    private static Dispatched of(String pointer, int status, Map<String, List<String>> headers, String body) {
        return new Classification(pointer)
                .of(status, HttpHeaders.of(headers, (a, b) -> true), body.getBytes(StandardCharsets.UTF_8), NOW);
    }
}
