package io.turnframe.outbox.batch.metrics;

import io.turnframe.outbox.OutboxObserver.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.IntCountsHistogram;

/** What happened in one minute, or in several that were added up. */
final class Minute {
    /** Two digits: a percentile is off by a hundredth at most. */
    private static final int DIGITS = 2;

    private static final long LONGEST_MICROS = Duration.ofHours(1).toNanos() / 1_000;

    private final Instant from;
    private final Map<Outcome, Long> settled = new EnumMap<>(Outcome.class);

    /** In microseconds; no room is taken for what is longer than all that came. Null until something was sent. */
    private IntCountsHistogram latencies;

    Minute(Instant from) {
        this.from = from;
    }

    Instant from() {
        return from;
    }

    void sent(Duration latency) {
        latencies().recordValue(Math.max(0, Math.min(LONGEST_MICROS, latency.toNanos() / 1_000)));
    }

    void settled(Outcome outcome) {
        settled.merge(outcome, 1L, Long::sum);
    }

    void add(Minute other) {
        other.settled.forEach((outcome, count) -> settled.merge(outcome, count, Long::sum));
        if (other.latencies != null) {
            latencies().add(other.latencies);
        }
    }

    LastHour.Minute view() {
        return new LastHour.Minute(
                from,
                count(Outcome.COMPLETED),
                count(Outcome.RETRIED),
                count(Outcome.FAILED),
                count(Outcome.UNKNOWN),
                count(Outcome.UNSETTLED),
                latencies == null ? 0 : latencies.getTotalCount(),
                percentile(50),
                percentile(99));
    }

    private long count(Outcome outcome) {
        return settled.getOrDefault(outcome, 0L);
    }

    private Double percentile(int percentile) {
        return latencies == null ? null : latencies.getValueAtPercentile(percentile) / 1_000.0;
    }

    private IntCountsHistogram latencies() {
        if (latencies == null) {
            latencies = new IntCountsHistogram(DIGITS);
            latencies.setAutoResize(true);
        }
        return latencies;
    }
}
