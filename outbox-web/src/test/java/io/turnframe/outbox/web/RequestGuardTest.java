package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void takesABodyThatBreaksOffForTheCallersFault() {
        InputStream broken = new SequenceInputStream(new ByteArrayInputStream(new byte[3]), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("closed");
            }
        });
        assertThatThrownBy(() -> new RequestGuard.Bounded(broken, 10).readAllBytes())
                .isInstanceOfSatisfying(
                        AdminException.class,
                        refused -> assertThat(refused.status()).isEqualTo(400));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;q=nonsense",
                "*/*;q=",
                "*/*;q=2",
                "*/*; q=-0.1",
                "text/html, */*;Q=NaN",
                "a/b;q=0.5;q=x"
            })
    void knowsAWeightThatIsNone(String accept) {
        assertThat(RequestGuard.hasUnreadableWeight(accept)).isTrue();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "*/*", "text/html;level=1, application/json;q=0.8, */*; q=1", "a/b;q=0"})
    void takesWeightsFromZeroToOne(String accept) {
        assertThat(RequestGuard.hasUnreadableWeight(accept)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -, outbox.example, -, false",
                "same-origin, -, outbox.example, -, false",
                "none, -, outbox.example, -, false",
                "cross-site, -, outbox.example, -, true",
                "same-site, https://outbox.example, outbox.example, -, true",
                "same-origin, https://outbox.example, inside:8080, -, false",
                "-, https://outbox.example, outbox.example, -, false",
                "-, https://OUTBOX.example, outbox.example:443, -, false",
                "-, http://localhost:8080, localhost:8080, -, false",
                "-, http://localhost:8081, localhost:8080, -, true",
                "-, https://outbox.example, inside:8080, 'outbox.example, other', false",
                "-, https://elsewhere.example, inside:8080, outbox.example, true",
                "-, https://elsewhere.example, outbox.example, -, true",
                "-, https://outbox.example.elsewhere.example, outbox.example, -, true",
                "-, null, outbox.example, -, true",
                "-, https://outbox.example, -, -, true"
            })
    void knowsARequestOfAnotherSitesPage(String site, String origin, String host, String forwarded, boolean other) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Sec-Fetch-Site", site);
        headers.put("Origin", origin);
        headers.put("Host", host);
        headers.put("X-Forwarded-Host", forwarded);
        assertThat(RequestGuard.isOfAnotherSite(headers::get)).isEqualTo(other);
    }
}
