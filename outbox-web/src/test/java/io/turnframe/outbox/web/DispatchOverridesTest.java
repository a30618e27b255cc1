package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchOverridesTest {
    @Test
    void overridesNothingByDefault() {
        assertThat(read("")).isEmpty();
        assertThat(read("{}")).isEmpty();
    }

    @Test
    void namesTheJobsProperties() {
        assertThat(read("{\"batch_size\":3,\"send_timeout\":\"PT5S\",\"partitions\":2}"))
                .containsExactlyInAnyOrderEntriesOf(Map.of("batchSize", "3", "sendTimeout", "PT5S", "partitions", "2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "3",
                "{\"batchSize\":3}",
                "{\"batch_size\":[3]}",
                "{\"batch_size\":null}",
                "{\"batch_size\":\"3\"}",
                "{\"worker_id\":7}",
                "{\"send_timeout\":5}",
                "{"
            })
    void refusesAnythingElse(String body) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(AdminException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batchSize is 0 but must lie between 1 and 10000|batch_size is 0 but must lie between 1 and 10000",
                "claimTimeout is PT1S but must be at least twice sendTimeout PT30S"
                        + "|claim_timeout is PT1S but must be at least twice send_timeout PT30S",
                "jitter is 2.0 but must lie between 0 and 1|jitter is 2.0 but must lie between 0 and 1"
            })
    void speaksOfTheNamesThatTheCallerWrote(String ofTheJob, String written) {
        assertThat(DispatchOverrides.asWritten(ofTheJob)).isEqualTo(written);
    }

    private static Properties read(String body) {
        return DispatchOverrides.read(body.getBytes(StandardCharsets.UTF_8));
    }
}
