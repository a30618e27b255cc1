package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StatsCacheTest {
    private long nanos = Long.MAX_VALUE - 5;
    private int counted;

    private final StatsCache cache = new StatsCache(() -> nanos);

    @Test
    void countsAtMostOnceASecond() {
        assertThat(dueAfter(0, 1)).isEqualTo(1);
        assertThat(dueAfter(999, 1)).isEqualTo(1);
        assertThat(dueAfter(1, 1)).isEqualTo(2);
    }

    @Test
    void keepsNineTimesAsLongWhatTookLongToCount() {
        assertThat(dueAfter(0, 2_000)).isEqualTo(1);
        assertThat(dueAfter(17_999, 1)).isEqualTo(1);
        assertThat(dueAfter(1, 1)).isEqualTo(2);
    }

    @Test
    void countsAgainAfterACountThatFailed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> cache.get(() -> {
                    throw new IllegalStateException("the database is away");
                }));
        assertThat(dueAfter(0, 1)).isEqualTo(1);
    }

    /** What is answered after so long, if counting takes so long; each count counts one more. */
    private long dueAfter(long millis, long counting) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
        return cache.get(() -> {
                    nanos += TimeUnit.MILLISECONDS.toNanos(counting);
                    return new OutboxStats(Instant.EPOCH, ++counted, null, List.of(), List.of());
                })
                .dueNow();
    }
}
