package io.turnframe.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatchConfigTest {
    private static final DispatchConfig DEFAULTS = DispatchConfig.defaults("w");

    @ParameterizedTest
    @CsvSource({"-1,1", "0,1", "1,1", "2,4", "3,16", "4,60", "9,60", "2147483647,60"})
    void growsTheBackoffAndCapsIt(int attempt, long seconds) {
        assertThat(DEFAULTS.backoffFor(attempt)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void keepsTheBackoffWithAMultiplierOfOne() {
        var flat = new DispatchConfig("w", 1, second(1), second(2), second(60), 1, 5, 1, second(2), 0);
        assertThat(flat.backoffFor(Integer.MAX_VALUE)).isEqualTo(second(2));
    }

    @Test
    void namesTheComponentAndTheValueItRefuses() {
        refuses("workerId is  ", () -> DispatchConfig.defaults(" "));
        refuses("workerId is a\tb", () -> DispatchConfig.defaults("a\tb"));
        refuses("batchSize is 0", () -> with(0, 30, 1, 60, 4, 5, 16, 120, 0));
        refuses("batchSize is 10001", () -> with(10_001, 30, 1, 60, 4, 5, 16, 120, 0));
        refuses("sendTimeout is PT0S", () -> with(16, 0, 1, 60, 4, 5, 16, 120, 0));
        refuses("initialBackoff is PT-1S", () -> with(16, 30, -1, 60, 4, 5, 16, 120, 0));
        refuses("maxBackoff is PT1S", () -> with(16, 30, 2, 1, 4, 5, 16, 120, 0));
        refuses("backoffMultiplier is 0", () -> with(16, 30, 1, 60, 0, 5, 16, 120, 0));
        refuses("maxAttempts is 0", () -> with(16, 30, 1, 60, 4, 0, 16, 120, 0));
        refuses("concurrency is 257", () -> with(16, 30, 1, 60, 4, 5, 257, 120, 0));
        refuses("claimTimeout is PT59S", () -> with(16, 30, 1, 60, 4, 5, 16, 59, 0));
        refuses("jitter is 1.5", () -> with(16, 30, 1, 60, 4, 5, 16, 120, 1.5));
        refuses("jitter is NaN", () -> with(16, 30, 1, 60, 4, 5, 16, 120, Double.NaN));
    }

    private static void refuses(String message, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(message);
    }

    private static DispatchConfig with(
            int batch,
            long send,
            long initial,
            long max,
            int times,
            int attempts,
            int concurrency,
            long claim,
            double jitter) {
        return new DispatchConfig(
                "w",
                batch,
                second(send),
                second(initial),
                second(max),
                times,
                attempts,
                concurrency,
                second(claim),
                jitter);
    }

    private static Duration second(long n) {
        return Duration.ofSeconds(n);
    }
}
