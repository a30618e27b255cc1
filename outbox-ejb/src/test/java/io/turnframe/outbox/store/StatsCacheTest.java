package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StatsCacheTest {
    private volatile long nanos = Long.MAX_VALUE - 5;
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

    @Test
    void keepsAMinuteAtMostWhatTookMuchLongerToCount() {
        assertThat(dueAfter(0, 30_000)).isEqualTo(1);
        assertThat(dueAfter(59_999, 1)).isEqualTo(1);
        assertThat(dueAfter(1, 1)).isEqualTo(2);
    }

    @Test
    @Timeout(60)
    void sharesAFailureWithWhoeverWaitedForIt() throws Exception {
        IllegalStateException away = new IllegalStateException("the database is away");
        AtomicReference<Throwable> shared = new AtomicReference<>();
        Thread waiting = new Thread(() -> shared.set(catchThrowable(() -> dueAfter(0, 1))));

        assertThatIllegalStateException()
                .isThrownBy(() -> cache.get(() -> {
                    waiting.start();
                    while (waiting.getState() != Thread.State.BLOCKED) {
                        Thread.onSpinWait();
                    }
                    nanos += TimeUnit.SECONDS.toNanos(30);
                    throw away;
                }));
        waiting.join();

        assertThat(shared).hasValue(away);
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
