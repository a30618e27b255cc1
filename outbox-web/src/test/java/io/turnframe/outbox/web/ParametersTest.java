package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.OutboxStatus;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

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

    @Test
    void refusesALimitThatIsNoNumber() {
        given.add("limit", "fifty");

        assertRefused("limit", () -> parameters().integer("limit", 1, 500, 50));
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
