package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RequestGuardTest {
    @Test
    void readsABodyUpToTheLimit() throws IOException {
        assertThat(new RequestGuard.Bounded(new ByteArrayInputStream(new byte[10]), 10).readAllBytes())
                .hasSize(10);
    }

    @Test
    void refusesABodyAboveTheLimitThatDidNotSayItsLength() {
        assertThatThrownBy(() -> new RequestGuard.Bounded(new ByteArrayInputStream(new byte[11]), 10).readAllBytes())
                .isInstanceOfSatisfying(
                        AdminException.class,
                        refused -> assertThat(refused.status()).isEqualTo(413));
    }
}
