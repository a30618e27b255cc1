package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UnreadKeysTest {
    private static final Map<String, String> REMOTE = Map.ofEntries(
            Map.entry("outbox.destinations", "remote"),
            Map.entry("outbox.destination.remote.url", "http://remote.example/"),
            Map.entry("outbox.destination.remote.reconcile-url", "http://remote.example/"),
            Map.entry("outbox.destination.remote.headers", "X-A"),
            Map.entry("outbox.destination.remote.header.X-A", "a"),
            Map.entry("outbox.destination.remote.max-due-age", "5m"),
            Map.entry("outbox.health.max-due-age", "10m"),
            Map.entry("outbox.purge.interval", "1h"),
            Map.entry("outbox.schema", "off"),
            Map.entry("outbox.admin.enqueue", "true"),
            Map.entry("outbox.admin.second-person", "true"),
            Map.entry("outbox.postgresql.host", "db.example"),
            Map.entry("java.home", "/"));

    @Test
    void saysNothingOfWhatIsRead() {
        assertThat(sentences(Map.of())).isEmpty();
    }

    @Test
    void namesWhatIsMisspeltAndTheNearestThatIsNot() {
        assertThat(sentences(Map.of("outbox.destination.remote.timeout", "s3cr3t", "outbox.dispatch.batchsize", "5")))
                .containsExactly(
                        "outbox.destination.remote.timeout is set, and nothing reads it;"
                                + " is outbox.destination.remote.send-timeout meant?",
                        "outbox.dispatch.batchsize is set, and nothing reads it; is outbox.dispatch.batch-size meant?");
    }

    @Test
    void namesTheKeysOfADestinationThatIsNotListed() {
        assertThat(sentences(Map.of("outbox.destination.warehouse.url", "http://warehouse.example/")))
                .containsExactly("outbox.destination.warehouse.url is set, and nothing reads it");
    }

    @Test
    void doesNotTakeAnEnvironmentVariableForAKey() {
        Map<String, String> values = new TreeMap<>(REMOTE);
        values.put("outbox.dispatch.max.attempts", "9");
        assertThat(UnreadKeys.sentences(
                        values.keySet(),
                        key -> Optional.ofNullable(values.get(key)),
                        "OUTBOX_DISPATCH_MAX_ATTEMPTS"::equals))
                .isEmpty();
    }

    private static List<String> sentences(Map<String, String> more) {
        Map<String, String> values = new TreeMap<>(REMOTE);
        values.putAll(more);
        return UnreadKeys.sentences(values.keySet(), key -> Optional.ofNullable(values.get(key)), name -> false);
    }
}
