package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    @ValueSource(strings = {"[]", "3", "{\"batchSize\":3}", "{\"batch_size\":[3]}", "{\"batch_size\":null}", "{"})
    void refusesAnythingElse(String body) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(AdminException.class);
    }

    private static Properties read(String body) {
        return DispatchOverrides.read(body.getBytes(StandardCharsets.UTF_8));
    }
}
