package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.store.ConfigValues;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class PurgeSettingsTest {
    @Test
    void isOffUnlessAPeriodIsSet() {
        PurgeSettings settings = settings(Map.of());
        assertThat(settings.config().removesAnything()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.config(new Properties()))
                .withMessageStartingWith("nothing says how long entries are kept; give completedAfter or failedAfter");
    }

    @Test
    void readsPeriodsOfDays() {
        PurgeSettings settings = settings(Map.of("outbox.purge.completed-after", "30d"));
        assertThat(settings.config()).isEqualTo(new PurgeConfig(Duration.ofDays(30), null, 1_000));
        assertThat(settings.interval()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void laysJobParametersOverTheConfiguration() {
        PurgeSettings settings = settings(Map.of("outbox.purge.completed-after", "30d"));
        Properties parameters = new Properties();
        parameters.setProperty("failedAfter", "90d");
        parameters.setProperty("batchSize", "10");
        parameters.setProperty("completedAfter", " ");
        assertThat(settings.config(parameters))
                .isEqualTo(new PurgeConfig(Duration.ofDays(30), Duration.ofDays(90), 10));
    }

    @Test
    void namesWhatIsWrong() {
        refused(Map.of("outbox.purge.failed-after", "soon"), "outbox.purge.failed-after is 'soon'; write a duration");
        refused(
                Map.of("outbox.purge.completed-after", "0s"),
                "outbox.purge.completed-after is PT0S but must lie between PT1M and 36500d");
        refused(Map.of("outbox.purge.batch-size", "0"), "outbox.purge.batch-size is 0 but must lie between");
        refused(Map.of("outbox.purge.interval", "1s"), "outbox.purge.interval is PT1S but must lie between");
        Properties parameters = new Properties();
        parameters.setProperty("completedAfter", "1s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of()).config(parameters))
                .withMessageStartingWith("completedAfter is PT1S but must lie between");
    }

    @Test
    void refusesAParameterThatTheJobDoesNotKnow() {
        Properties parameters = new Properties();
        parameters.setProperty("completed_after", "30d");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of()).config(parameters))
                .withMessage(
                        "completed_after is no parameter of this job; there are batchSize, completedAfter, failedAfter");
    }

    private static void refused(Map<String, String> values, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> settings(values)).withMessageStartingWith(message);
    }

    private static PurgeSettings settings(Map<String, String> values) {
        PurgeSettings settings = new PurgeSettings();
        settings.read(new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()));
        return settings;
    }
}
