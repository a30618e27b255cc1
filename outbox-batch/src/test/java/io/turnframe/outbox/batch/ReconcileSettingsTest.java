package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.store.ConfigValues;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ReconcileSettingsTest {
    private static final String RECONCILER = "outbox.destination.crm.reconciler";

    @Test
    void isOnEveryMinuteUnlessItIsSwitchedOff() {
        ReconcileSettings settings = settings(Map.of());
        assertThat(settings.enabled()).isTrue();
        assertThat(settings.interval()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.config())
                .isEqualTo(new ReconcileConfig(
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5),
                        Duration.ofHours(24),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        16));
        assertThat(settings(Map.of("outbox.reconcile.enabled", "false")).enabled())
                .isFalse();
    }

    @Test
    void readsTheReconcilerOfEachDestination() {
        assertThat(settings(Map.of()).reconcilers()).containsKey("crm").doesNotContainKey("other");
        assertThat(settings(Map.of(RECONCILER, "java:global/a/B")).reconcilers())
                .containsEntry("crm", "java:global/a/B");
    }

    @Test
    void laysJobParametersOverTheConfiguration() {
        ReconcileSettings settings = settings(Map.of("outbox.reconcile.concurrency", "4"));
        assertThat(settings.config(parameter("settlingTime", "1h")).settlingTime())
                .isEqualTo(Duration.ofHours(1));
        assertThat(settings.config(parameter("timeout", "1s")).concurrency()).isEqualTo(4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.config(parameter("settlingTime", "1m")))
                .withMessageStartingWith(
                        "settlingTime is PT1M but must not be shorter than outbox.reconcile.settling-time PT5M");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.config(parameter("concurrency", "0")))
                .withMessageStartingWith("concurrency is 0 but must lie between 1 and 256");
    }

    @Test
    void namesWhatIsWrong() {
        refused("enabled", "yes", "'yes'; write true or false");
        refused("interval", "1ms", "PT0.001S but must lie between");
        refused("timeout", "0s", "PT0S but must lie between");
        refused("settling-time", "soon", "'soon'; write a duration");
        refused("overdue-after", "366d", "PT8784H but must lie between");
        refused("initial-backoff", "0s", "PT0S but must lie between");
        refused("max-backoff", "1s", "PT1S but must lie between PT1M and");
        refused("concurrency", "257", "257 but must lie between 1 and 256");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of(RECONCILER, "crm")))
                .withMessage(RECONCILER + " is 'crm'; write http, or the java: name of an EJB");
    }

    private static void refused(String key, String value, String message) {
        String name = "outbox.reconcile." + key;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of(name, value)))
                .withMessageStartingWith(name + " is " + message);
    }

    private static Properties parameter(String name, String value) {
        Properties parameters = new Properties();
        parameters.setProperty(name, value);
        return parameters;
    }

    private static ReconcileSettings settings(Map<String, String> values) {
        ReconcileSettings settings = new ReconcileSettings();
        settings.read(
                new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()), Set.of("crm"));
        return settings;
    }
}
