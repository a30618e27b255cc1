package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.Client.Answer;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.hawkular.agent.prometheus.text.TextPrometheusMetricDataParser;
import org.hawkular.agent.prometheus.types.Counter;
import org.hawkular.agent.prometheus.types.Gauge;
import org.hawkular.agent.prometheus.types.Histogram;
import org.hawkular.agent.prometheus.types.Metric;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.hawkular.agent.prometheus.types.MetricType;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a monitor reads, by a parser of the format, while a sender and its callers make up names without end. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("wildfly")
@Tag("embedded-database")
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=200ms",
    "outbox.admin.enqueue=true",
    "outbox.destinations=codes",
    "outbox.destination.codes.sender=" + CodeSender.JNDI_NAME
})
class MetricsIT {
    private static final int CODES = 300;

    private static final int DESTINATIONS = 300;

    /** Names of each kind that have series of their own, and one for all others. */
    private static final int MOST = 101;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Client operator = Client.of("operator");
    private final String run = UUID.randomUUID().toString();

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = "sender", order = 2, testable = false)
    static WebArchive sender() {
        return Archives.application().addClasses(CodeSender.class, EntriesServlet.class);
    }

    @AfterEach
    void removeEntries() {
        for (String destinations : List.of("codes", "shop-")) {
            Answer answer = operator.send("DELETE", "/application/entries?destinations=" + destinations, null);
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @Test
    void hasABoundedNumberOfSeriesWhateverItsLabelsAreMadeOf() {
        IntStream.range(0, CODES).parallel().forEach(n -> enqueue("codes", run + "-" + n));
        IntStream.range(0, DESTINATIONS).parallel().forEach(n -> enqueue("shop-" + n, run));
        Awaitility.await("every code was made")
                .atMost(PATIENCE)
                .until(() -> sum("outbox_settled_failed_total", parse(scrape())) == CODES);

        String text = scrape();
        List<MetricFamily> families = parse(text);
        List<Metric> metrics = families.stream()
                .flatMap(family -> family.getMetrics().stream())
                .toList();
        assertThat(samples(families))
                .isEqualTo(text.lines()
                        .filter(line -> !line.startsWith("#") && !line.isBlank())
                        .count());

        assertThat(metrics.stream()
                        .flatMap(metric -> metric.getLabels().keySet().stream())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("destination", "code");
        Set<String> destinations = values("destination", metrics);
        assertThat(destinations).hasSizeLessThanOrEqualTo(MOST).contains("codes", "other");
        assertThat(known()).containsAll(destinations);
        Set<String> codes = values("code", metrics);
        assertThat(codes).hasSizeLessThanOrEqualTo(MOST).contains("other");
        codes.removeIf(name -> name.startsWith("code." + run) || name.equals("other"));
        assertThat(codes).isEmpty();
        assertThat(sum("outbox_entries_pending", families)).isGreaterThanOrEqualTo(DESTINATIONS);
        // Of two that are alike a monitor would keep one.
        assertThat(families).extracting(MetricFamily::getName).doesNotHaveDuplicates();
        families.forEach(family -> assertThat(family.getMetrics())
                .as(family.getName())
                .extracting(Metric::getLabels)
                .doesNotHaveDuplicates());
    }

    private void enqueue(String destination, String key) {
        Answer answer = operator.call(
                "POST",
                "/entries",
                "{\"destination\":\"" + destination + "\",\"idempotency_key\":\"" + key + "\",\"payload\":{}}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    /** The names of destinations that have entries, and the one for all others. */
    private Set<String> known() {
        Set<String> known = new HashSet<>(Set.of("other"));
        operator.call("GET", "/stats", null).json().getJsonArray("counts").getValuesAs(JsonObject.class).stream()
                .map(count -> count.getString("destination"))
                .forEach(known::add);
        return known;
    }

    private String scrape() {
        Answer answer = operator.call("GET", "/metrics", null);
        assertThat(answer.header("Content-Type")).startsWith("text/plain").contains("version=0.0.4");
        return answer.text();
    }

    private static List<MetricFamily> parse(String text) {
        List<MetricFamily> families = new ArrayList<>();
        try {
            var parser =
                    new TextPrometheusMetricDataParser(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            for (MetricFamily family = parser.parse(); family != null; family = parser.parse()) {
                families.add(family);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return families;
    }

    /** The lines that a parser understood: it leaves out what it does not. */
    private static long samples(List<MetricFamily> families) {
        return families.stream()
                .flatMap(family -> family.getMetrics().stream())
                .mapToLong(metric -> metric instanceof Histogram histogram
                        ? histogram.getBuckets().size() + 2
                        : 1)
                .sum();
    }

    private static Set<String> values(String label, List<Metric> metrics) {
        return metrics.stream()
                .map(metric -> metric.getLabels().get(label))
                .filter(value -> value != null)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static double sum(String name, List<MetricFamily> families) {
        Set<MetricType> plain = new HashSet<>(List.of(MetricType.COUNTER, MetricType.GAUGE));
        return families.stream()
                .filter(family -> family.getName().equals(name) && plain.contains(family.getType()))
                .flatMap(family -> family.getMetrics().stream())
                .mapToDouble(
                        metric -> metric instanceof Counter counter ? counter.getValue() : ((Gauge) metric).getValue())
                .sum();
    }
}
