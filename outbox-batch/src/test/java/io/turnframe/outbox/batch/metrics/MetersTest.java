package io.turnframe.outbox.batch.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver.Outcome;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.store.OutboxStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetersTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Meters meters = new Meters(registry);

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void countsWhatTheDispatcherDoes() {
        meters.claimed(16, Duration.ofMillis(3));
        meters.claimed(0, Duration.ofMillis(200));
        meters.sent("airline", Duration.ofMillis(80), Dispatched.Kind.COMPLETED);
        meters.sent("airline", Duration.ofSeconds(3), Dispatched.Kind.UNKNOWN);
        meters.settled("airline", Outcome.COMPLETED, null);
        meters.settled("airline", Outcome.FAILED, "airline.full");
        meters.settled("airline", Outcome.UNKNOWN, null);
        meters.outcomeUnknown("airline");
        meters.inDoubt("airline");
        meters.reconciled("airline", Reconciled.Kind.RESEND);

        assertThat(registry.scrape().lines())
                .contains(
                        "outbox_claim_seconds_bucket{le=\"0.005\"} 1",
                        "outbox_claim_seconds_count 2",
                        "outbox_send_seconds_bucket{destination=\"airline\",le=\"0.1\"} 1",
                        "outbox_send_seconds_bucket{destination=\"airline\",le=\"5.0\"} 2",
                        "outbox_send_seconds_count{destination=\"airline\"} 2",
                        "outbox_settled_completed_total{destination=\"airline\"} 1.0",
                        "outbox_settled_failed_total{code=\"airline.full\",destination=\"airline\"} 1.0",
                        "outbox_settled_unknown_total{destination=\"airline\"} 1.0",
                        "outbox_outcome_unknown_total{destination=\"airline\"} 1.0",
                        "outbox_in_doubt_total{destination=\"airline\"} 1.0",
                        "outbox_reconciled_total{code=\"resend\",destination=\"airline\"} 1.0");
    }

    @Test
    void showsWhatIsOutAlsoWhereNothingIs() {
        assertThat(meters.scrape(stats(7, 90), Map.of("hotel", 3)).lines())
                .contains(
                        "outbox_in_flight{destination=\"airline\"} 0.0", "outbox_in_flight{destination=\"hotel\"} 3.0");
    }

    @Test
    void showsTheBacklogAsItWasCountedLast() {
        assertThat(meters.scrape(stats(7, 90), Map.of()).lines())
                .contains(
                        "outbox_entries_pending{destination=\"airline\"} 7.0",
                        "outbox_entries_due{destination=\"airline\"} 7.0",
                        "outbox_oldest_due_age_seconds{destination=\"airline\"} 90.0");
        assertThat(meters.scrape(stats(3, 10), Map.of()).lines())
                .contains("outbox_entries_pending{destination=\"airline\"} 3.0");
        assertThat(meters.scrape(new OutboxStats(Instant.EPOCH, 0, null, List.of(), List.of()), Map.of()))
                .doesNotContain("outbox_entries_pending{");
    }

    @Test
    void answersSeveralMonitorsAtOnce() throws Exception {
        ExecutorService monitors = Executors.newFixedThreadPool(4);
        try {
            List<Future<String>> scrapes = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                OutboxStats counted = stats(i, i);
                scrapes.add(monitors.submit(() -> meters.scrape(counted, Map.of())));
            }
            for (int i = 0; i < scrapes.size(); i++) {
                assertThat(scrapes.get(i).get().lines())
                        .contains("outbox_entries_pending{destination=\"airline\"} " + i + ".0");
            }
        } finally {
            monitors.shutdownNow();
        }
    }

    @Test
    void boundsTheSeriesWhateverASenderSays() {
        for (int i = 0; i < 10_000; i++) {
            meters.settled("airline", Outcome.FAILED, "code-" + i);
            meters.settled("destination-" + i, Outcome.COMPLETED, null);
        }
        assertThat(values("code")).hasSize(Meters.MOST_LABELS + 1).contains("code-0", "other");
        assertThat(values("destination")).hasSize(Meters.MOST_LABELS + 1).contains("airline", "other");
        assertThat(registry.scrape().lines())
                .contains("outbox_settled_failed_total{code=\"other\",destination=\"airline\"} 9900.0");
    }

    @Test
    void addsUpTheBacklogOfDestinationsThatHaveNoSeriesOfTheirOwn() {
        List<OutboxStats.Count> counts = new ArrayList<>();
        List<OutboxStats.Due> due = new ArrayList<>();
        for (int i = 0; i < Meters.MOST_LABELS + 3; i++) {
            counts.add(new OutboxStats.Count("destination-" + i, OutboxStatus.PENDING, 2));
            due.add(new OutboxStats.Due("destination-" + i, 2, i));
        }
        assertThat(meters.scrape(new OutboxStats(Instant.EPOCH, 0, null, counts, due), Map.of())
                        .lines())
                .contains(
                        "outbox_entries_pending{destination=\"other\"} 6.0",
                        "outbox_entries_due{destination=\"other\"} 6.0",
                        "outbox_oldest_due_age_seconds{destination=\"other\"} 102.0");
    }

    @Test
    void readsTheBacklogOverJmx() {
        var backlog = new JmxBacklog.Backlog(() -> stats(7, 90));
        assertThat(backlog.getDueEntries()).isEqualTo(7);
        assertThat(backlog.getPendingEntries()).isEqualTo(7);
        assertThat(backlog.getFailedEntries()).isZero();
        assertThat(backlog.getOldestDueAgeSeconds()).isEqualTo(90);
    }

    private Set<String> values(String label) {
        Matcher values = Pattern.compile(label + "=\"([^\"]*)\"").matcher(registry.scrape());
        return values.results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    private static OutboxStats stats(long pending, long age) {
        return new OutboxStats(
                Instant.EPOCH,
                pending,
                age,
                List.of(new OutboxStats.Count("airline", OutboxStatus.PENDING, pending)),
                List.of(new OutboxStats.Due("airline", pending, age)));
    }
}
