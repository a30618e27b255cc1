package io.turnframe.outbox.batch.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.store.OutboxStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What is measured, by destination and code alone. */
final class Meters implements OutboxObserver {
    /** Distinct codes and distinct destinations; the dispatcher's own codes are some ten. */
    static final int MOST_LABELS = 100;

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60)
    };

    private final MeterRegistry registry;
    private final Labels destinations = new Labels(MOST_LABELS);
    private final Labels codes = new Labels(MOST_LABELS);
    private final Map<OutboxStatus, MultiGauge> entries = new EnumMap<>(OutboxStatus.class);
    private final MultiGauge due;
    private final MultiGauge oldestDue;

    Meters(MeterRegistry registry) {
        this.registry = registry;
        for (OutboxStatus status : OutboxStatus.values()) {
            entries.put(
                    status,
                    MultiGauge.builder("outbox.entries." + status.label().replace('_', '.'))
                            .description("entries that are " + status.label())
                            .register(registry));
        }
        due = MultiGauge.builder("outbox.entries.due")
                .description("pending entries that a claim could take")
                .register(registry);
        oldestDue = MultiGauge.builder("outbox.oldest.due.age")
                .description("how long the entry that has waited longest has been due")
                .baseUnit("seconds")
                .register(registry);
    }

    @Override
    public void sent(String destination, Duration latency, Dispatched.Kind answer) {
        Timer.builder("outbox.send")
                .description("how long sends took, missed deadlines with them")
                .tags(labels(destination))
                .serviceLevelObjectives(BUCKETS)
                .register(registry)
                .record(latency);
    }

    @Override
    public void settled(String destination, Outcome outcome, String code) {
        Tags tags = outcome == Outcome.RETRIED || outcome == Outcome.FAILED
                ? labels(destination).and("code", codes.of(code == null ? "none" : code))
                : labels(destination);
        count("outbox.settled." + outcome.name().toLowerCase(Locale.ROOT), "settlements by outcome", tags);
    }

    @Override
    public void outcomeUnknown(String destination) {
        count("outbox.outcome.unknown", "entries whose outcome became unknown", labels(destination));
    }

    @Override
    public void reconciled(String destination, Reconciled.Kind answer) {
        String code = answer.name().toLowerCase(Locale.ROOT);
        count(
                "outbox.reconciled",
                "questions to reconcilers by answer",
                labels(destination).and("code", code));
    }

    /** Shows the backlog as it was counted. */
    void backlog(OutboxStats stats) {
        entries.forEach((status, gauge) -> {
            Map<String, Long> counts = new TreeMap<>();
            stats.counts().stream()
                    .filter(count -> count.status() == status)
                    .forEach(count -> counts.merge(destinations.of(count.destination()), count.count(), Long::sum));
            gauge.register(rows(counts), true);
        });
        Map<String, Long> counts = new TreeMap<>();
        Map<String, Long> ages = new TreeMap<>();
        stats.due().forEach(of -> {
            counts.merge(destinations.of(of.destination()), of.count(), Long::sum);
            ages.merge(destinations.of(of.destination()), of.oldestAgeSeconds(), Long::max);
        });
        due.register(rows(counts), true);
        oldestDue.register(rows(ages), true);
    }

    /** One for each label: of two the registry would keep one. */
    private static List<MultiGauge.Row<?>> rows(Map<String, Long> byLabel) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        byLabel.forEach((label, value) -> rows.add(MultiGauge.Row.of(Tags.of("destination", label), value)));
        return rows;
    }

    private void count(String name, String description, Tags tags) {
        Counter.builder(name)
                .description(description)
                .tags(tags)
                .register(registry)
                .increment();
    }

    private Tags labels(String destination) {
        return Tags.of("destination", destinations.of(destination));
    }
}
