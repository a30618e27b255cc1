package io.turnframe.outbox.batch.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.store.OutboxStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

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

    private static final Duration[] CLAIM_BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private static final Map<Outcome, String> SETTLED = Arrays.stream(Outcome.values())
            .collect(Collectors.toMap(
                    outcome -> outcome,
                    outcome -> "outbox.settled." + outcome.name().toLowerCase(Locale.ROOT)));

    private final PrometheusMeterRegistry registry;

    /** By label: to find one in the registry costs more than to count. */
    private final Map<String, Timer> sends = new ConcurrentHashMap<>();

    private final Map<Series, Counter> counters = new ConcurrentHashMap<>();
    private final Labels destinations = new Labels(MOST_LABELS);
    private final Labels codes = new Labels(MOST_LABELS);
    private final Map<OutboxStatus, MultiGauge> entries = new EnumMap<>(OutboxStatus.class);
    private final Timer claims;
    private final MultiGauge inFlight;
    private final MultiGauge due;
    private final MultiGauge oldestDue;

    private record Series(String name, String destination, String code) {}

    Meters(PrometheusMeterRegistry registry) {
        this.registry = registry;
        for (OutboxStatus status : OutboxStatus.values()) {
            entries.put(
                    status,
                    MultiGauge.builder("outbox.entries." + status.label().replace('_', '.'))
                            .description("entries that are " + status.label())
                            .register(registry));
        }
        claims = Timer.builder("outbox.claim")
                .description("how long claims took")
                .serviceLevelObjectives(CLAIM_BUCKETS)
                .register(registry);
        inFlight = MultiGauge.builder("outbox.in.flight")
                .description("sends that are out from this node")
                .register(registry);
        due = MultiGauge.builder("outbox.entries.due")
                .description("pending entries that a claim could take")
                .register(registry);
        oldestDue = MultiGauge.builder("outbox.oldest.due.age")
                .description("how long the entry that has waited longest has been due")
                .baseUnit("seconds")
                .register(registry);
    }

    @Override
    public void claimed(int entries, Duration took) {
        claims.record(took);
    }

    @Override
    public void sent(String destination, Duration latency, Dispatched.Kind answer) {
        sends.computeIfAbsent(destinations.of(destination), this::timer).record(latency);
    }

    private Timer timer(String destination) {
        return Timer.builder("outbox.send")
                .description("how long sends took, missed deadlines with them")
                .tags("destination", destination)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    @Override
    public void settled(String destination, Outcome outcome, String code) {
        boolean coded = outcome == Outcome.RETRIED || outcome == Outcome.FAILED;
        count(
                SETTLED.get(outcome),
                "settlements by outcome",
                destination,
                coded ? codes.of(code == null ? "none" : code) : null);
    }

    @Override
    public void outcomeUnknown(String destination) {
        count("outbox.outcome.unknown", "entries whose outcome became unknown", destination, null);
    }

    @Override
    public void inDoubt(String destination) {
        count("outbox.in.doubt", "transactions of which nobody knows whether they committed", destination, null);
    }

    @Override
    public void reconciled(String destination, Reconciled.Kind answer) {
        count(
                "outbox.reconciled",
                "questions to reconcilers by answer",
                destination,
                answer.name().toLowerCase(Locale.ROOT));
    }

    /** @param code null for a series without that label */
    private void count(String name, String description, String destination, String code) {
        Series series = new Series(name, destinations.of(destination), code);
        counters.computeIfAbsent(series, of -> counter(of, description)).increment();
    }

    private Counter counter(Series series, String description) {
        Tags tags = Tags.of("destination", series.destination);
        return Counter.builder(series.name)
                .description(description)
                .tags(series.code == null ? tags : tags.and("code", series.code))
                .register(registry);
    }

    /**
     * The text of all of them, the backlog as it was counted, and what is out. For one monitor at a time: while the rows of a gauge are
     * exchanged it may have one twice, which no text can show.
     */
    synchronized String scrape(OutboxStats stats, Map<String, Integer> out) {
        backlog(stats);
        inFlight(stats, out);
        return registry.scrape();
    }

    private void backlog(OutboxStats stats) {
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

    /** Also of those that have entries and nothing out: what is not there cannot be told from what is not measured. */
    private void inFlight(OutboxStats stats, Map<String, Integer> out) {
        Map<String, Long> counts = new TreeMap<>();
        stats.counts().forEach(count -> counts.put(destinations.of(count.destination()), 0L));
        out.forEach((destination, sends) -> counts.merge(destinations.of(destination), (long) sends, Long::sum));
        inFlight.register(rows(counts), true);
    }

    /** One for each label: of two the registry would keep one. */
    private static List<MultiGauge.Row<?>> rows(Map<String, Long> byLabel) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        byLabel.forEach((label, value) -> rows.add(MultiGauge.Row.of(Tags.of("destination", label), value)));
        return rows;
    }
}
