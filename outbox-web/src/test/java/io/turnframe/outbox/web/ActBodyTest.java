package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.store.Act;
import jakarta.ws.rs.core.SecurityContext;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActBodyTest {
    @Test
    void mayBeEmpty() {
        assertThat(read("").act(caller("ann"))).isEqualTo(Act.of("ann", null));
        assertThat(read("{}").act(caller("ann"))).isEqualTo(Act.of("ann", null));
        assertThat(read("", "code").code()).isEqualTo("turnframe.operator.failed");
        assertThat(read("{\"code\":null}", "code").code()).isEqualTo("turnframe.operator.failed");
    }

    @Test
    void readsWhatMeansSomethingToTheCall() {
        ActBody said = read("{\"note\":\"why\",\"code\":\"airline.no\"}", "code");

        assertThat(said.act(caller("ann")).note()).isEqualTo("why");
        assertThat(said.code()).isEqualTo("airline.no");
        assertThat(read("{\"next_attempt_at\":\"2026-11-30T10:00:00+02:00\"}", "next_attempt_at")
                        .nextAttemptAt())
                .isEqualTo("2026-11-30T08:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[]", "{\"code\":\"a\"}", "{\"next_attempt_at\":\"2026-11-30T10:00:00Z\"}", "{\"note\":1}", "{"})
    void refusesAnythingElse(String body) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(AdminException.class);
    }

    @Test
    void missesATimeThatIsNeeded() {
        assertThatThrownBy(() -> read("{}", "next_attempt_at").nextAttemptAt())
                .hasMessageStartingWith("next_attempt_at is missing");
    }

    @Test
    void refusesANoteThatCouldForgeALineOfTheLog() {
        assertThatThrownBy(() -> read("{\"note\":\"a\\nact=complete\"}").act(caller("ann")))
                .isInstanceOf(InvalidRecordException.class);
    }

    @Test
    void keepsAsMuchOfANameAsTheStoreTakes() {
        assertThat(read("").act(caller("a".repeat(200))).by()).hasSize(128);
    }

    private static ActBody read(String body, String... known) {
        return ActBody.read(body.getBytes(StandardCharsets.UTF_8), known);
    }

    static SecurityContext caller(String name) {
        return new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
                return () -> name;
            }

            @Override
            public boolean isUserInRole(String role) {
                return false;
            }

            @Override
            public boolean isSecure() {
                return true;
            }

            @Override
            public String getAuthenticationScheme() {
                return BASIC_AUTH;
            }
        };
    }
}
