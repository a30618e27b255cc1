package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigValuesTest {
    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "30s, PT30S", "' 2m ', PT2M", "1h, PT1H", "PT1.5S, PT1.5S"})
    void readsDurations(String text, Duration duration) {
        assertThat(of(text).duration("key", null)).isEqualTo(duration);
    }

    @Test
    void fallsBackWhereNothingIsSet() {
        assertThat(of("  ").duration("key", Duration.ZERO)).isEqualTo(Duration.ZERO);
        assertThat(of("1").integer("other", 7)).isEqualTo(7);
        assertThat(of("true").flag("key", false)).isTrue();
        assertThat(of("0.2").decimal("key", 0.0)).isEqualTo(0.2);
    }

    @Test
    void namesKeyValueAndRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("soon").duration("key", null))
                .withMessage("key is 'soon'; write a duration such as 500ms, 30s, 2m, 1h, 30d or PT30S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("yes").flag("key", false))
                .withMessage("key is 'yes'; write true or false");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("99999999999").integer("key", 0))
                .withMessage("key is '99999999999'; write a whole number from -2147483648 to 2147483647");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("1.5").integer("key", 0))
                .withMessage("key is '1.5'; write a whole number");
        assertThatIllegalArgumentException().isThrownBy(() -> of("-").decimal("key", 0.0));
    }

    private static ConfigValues of(String value) {
        return new ConfigValues(key -> Optional.ofNullable(Map.of("key", value).get(key)), UnaryOperator.identity());
    }
}
