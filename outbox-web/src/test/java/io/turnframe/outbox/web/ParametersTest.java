package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxFilter;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {
    private final MultivaluedHashMap<String, String> given = new MultivaluedHashMap<>();

    @Test
    void readsWhatIsThere() {
        UUID id = UUID.randomUUID();
        given.add("status", "outcome_unknown");
        given.add("destination", "airline");
        given.add("command_id", id.toString());
        given.add("limit", "500");

        assertThat(parameters().status("status")).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(parameters().text("destination", 200)).isEqualTo("airline");
        assertThat(parameters().uuid("command_id")).isEqualTo(id);
        assertThat(parameters().integer("limit", 1, 500, 50)).isEqualTo(500);
    }

    @Test
    void takesAnEmptyOneForAbsent() {
        given.add("status", "");
        given.add("limit", "");

        assertThat(parameters().status("status")).isNull();
        assertThat(parameters().integer("limit", 1, 500, 50)).isEqualTo(50);
        assertThat(parameters().uuid("command_id")).isNull();
    }

    @Test
    void refusesAnUnknownOne() {
        given.add("statsu", "pending");

        assertThatThrownBy(this::parameters).hasMessageContaining("known are").hasMessageNotContaining("statsu");
    }

    @Test
    void refusesAnyOneWhereACallTakesNone() {
        given.add("x", "1");

        assertThatThrownBy(() -> new Parameters(given, Set.of()))
                .isInstanceOf(AdminException.class)
                .hasMessage("this call takes no query parameters");
    }

    @Test
    void refusesARepeatedOne() {
        given.add("status", "pending");
        given.add("status", "failed");

        assertRefused("status", this::parameters);
    }

    @Test
    void refusesValuesWithoutMeaningAndNamesTheParameter() {
        given.add("status", "PENDING");
        given.add("destination", "a\u0000b");
        given.add("command_id", "1-1-1-1-1");
        given.add("limit", "0");

        assertRefused("status", () -> parameters().status("status"));
        assertRefused("destination", () -> parameters().text("destination", 200));
        assertRefused("command_id", () -> parameters().uuid("command_id"));
        assertRefused("limit", () -> parameters().integer("limit", 1, 500, 50));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\u0000b", "\ud800", "x\udc00", "\udc00\ud800"})
    void refusesATextThatNoDatabaseTakes(String text) {
        given.add("destination", text);

        assertRefused("destination", () -> parameters().text("destination", 200));
    }

    @Test
    void refusesALimitThatIsNoNumber() {
        given.add("limit", "fifty");

        assertRefused("limit", () -> parameters().integer("limit", 1, 500, 50));
    }

    @Test
    void readsEveryFilter() {
        given.add("status", "failed");
        given.add("failure_code", "airline.full");
        given.add("key_prefix", "booking-");
        given.add("created_from", "2026-11-30T10:00:00+02:00");
        given.add("due_before", "2026-11-30T10:00:00.1234567 02:00");

        assertThat(FilterParameters.read(new Parameters(given, FilterParameters.NAMES)))
                .isEqualTo(new OutboxFilter(
                        OutboxStatus.FAILED,
                        null,
                        null,
                        "airline.full",
                        new OutboxFilter.Range(Instant.parse("2026-11-30T08:00:00Z"), null),
                        new OutboxFilter.Range(null, Instant.parse("2026-11-30T08:00:00.123456Z")),
                        null,
                        "booking-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "2026-11-30", "+99999-01-01T00:00:00Z", "1500-01-01T00:00:00Z"})
    void refusesWhatIsNoInstant(String text) {
        given.add("due_from", text);

        assertThatThrownBy(() -> FilterParameters.read(new Parameters(given, FilterParameters.NAMES)))
                .hasMessage("due_from is not an RFC 3339 date and time");
    }

    private Parameters parameters() {
        return new Parameters(given, Set.of("status", "destination", "command_id", "limit"));
    }

    private static void assertRefused(String parameter, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(AdminException.class, refused -> {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.code()).isEqualTo("turnframe.admin.invalid_parameter");
            assertThat(refused.parameter()).isEqualTo(parameter);
        });
    }
}
