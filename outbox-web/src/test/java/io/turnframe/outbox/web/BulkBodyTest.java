package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkBodyTest {
    @Test
    void meansEveryDestinationByAFilterWithNothingInIt() {
        BulkBody body = read("{}");
        assertThat(body.isDryRun()).isTrue();
        assertThat(body.bulk().filter().destination()).isNull();
        assertThat(body.bulk().filter().failureCode()).isNull();
    }

    /** As a script writes them whose variable is not set. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"destination\":\"\"}", "{\"destination\":null}", "{\"code\":\" \"}"})
    void doesNotMeanEveryOneByAValueThatIsEmpty(String filter) {
        assertThatThrownBy(() -> read(filter))
                .isInstanceOf(AdminException.class)
                .hasMessageContaining("has no value");
    }

    private static BulkBody read(String filter) {
        String body = "{\"act\":\"resubmit\",\"dry_run\":true,\"filter\":" + filter + "}";
        return BulkBody.read(body.getBytes(StandardCharsets.UTF_8));
    }
}
