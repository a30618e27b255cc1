package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.store.ConfigValues;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class HealthSettingsTest {
    @Test
    void goesByWhatIsSaidOfTheDestinationElseByWhatIsSaidOfAll() {
        assertThat(settings(Map.of()).longestDue("airline")).isEqualTo(Duration.ofMinutes(15));
        HealthSettings settings =
                settings(Map.of("outbox.health.max-due-age", "5m", "outbox.destination.airline.max-due-age", "1h"));
        assertThat(settings.longestDue("airline")).isEqualTo(Duration.ofHours(1));
        assertThat(settings.longestDue("hotel")).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.longestDue("unlisted")).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void refusesABadValueByItsKey() {
        for (String key : Set.of("outbox.health.max-due-age", "outbox.destination.hotel.max-due-age")) {
            for (String bad : Set.of("soon", "0s", "366d")) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> settings(Map.of(key, bad)))
                        .withMessageStartingWith(key + " is ");
            }
        }
    }

    private static HealthSettings settings(Map<String, String> values) {
        HealthSettings settings = new HealthSettings();
        settings.read(
                new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()),
                Set.of("airline", "hotel"));
        return settings;
    }
}
