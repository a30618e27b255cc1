package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.batch.http.hostile.Behaviour;
import io.turnframe.outbox.batch.http.hostile.BehaviourTable;
import io.turnframe.outbox.batch.http.hostile.Certificates;
import io.turnframe.outbox.batch.http.hostile.HostileRemote;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.Marker;
import io.turnframe.outbox.it.harness.Metrics;
import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An entry for each remote that misbehaves, all at once: each ends as the table in {@code docs/senders.md} says, with as many
 * requests on the wire as attempts in the journal.
 */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("embedded-database")
@Tag("wildfly")
@Configured({
    "outbox.admin.enqueue=true",
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.concurrency=" + HostileIT.CONCURRENCY,
    "outbox.dispatch.batch-size=" + HostileIT.CONCURRENCY,
    "outbox.dispatch.journal=all",
    // One attempt, and no more while the test looks.
    "outbox.dispatch.initial-backoff=1h",
    "outbox.dispatch.max-backoff=1h"
})
class HostileIT {
    /** All of them at once. */
    static final int CONCURRENCY = 128;

    private static final String OUTBOX = "outbox";

    private static final String DESTINATIONS = "outbox.destinations";

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration BACKOFF = Duration.ofHours(1);

    /** The longest that {@code Retry-After} may say. */
    private static final Duration DAY = Duration.ofDays(1);

    private final TestServer server = TestServer.server();
    private final Desk desk = new Desk(server);

    @ArquillianResource
    private Deployer deployer;

    /** Once the remotes' ports are known. */
    @Deployment(name = OUTBOX, managed = false, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Test
    void eachEndsAsTheTableSays(@TempDir Path folder) throws Exception {
        Map<Behaviour, HostileRemote> remotes = new EnumMap<>(Behaviour.class);
        Certificates certificates = new Certificates(folder);
        for (Behaviour behaviour : Behaviour.values()) {
            remotes.put(behaviour, new HostileRemote(behaviour, certificates));
        }
        configure(remotes, Files.createDirectory(folder.resolve("configuration")));
        try {
            deployer.deploy(OUTBOX);
            Map<Behaviour, JsonObject> stories = sendOneEach();
            assertEndAsDocumented(remotes, stories);
        } finally {
            Metrics.keep(HostileIT.class.getName(), server.url("/outbox/api"));
            deployer.undeploy(OUTBOX);
            server.removeConfiguration();
            server.resetProperties(Set.of(DESTINATIONS));
            for (HostileRemote remote : remotes.values()) {
                remote.close();
            }
        }
    }

    private void configure(Map<Behaviour, HostileRemote> remotes, Path folder) throws IOException {
        for (Map.Entry<Behaviour, HostileRemote> remote : remotes.entrySet()) {
            String prefix = "outbox.destination." + destination(remote.getKey()) + ".";
            Files.writeString(folder.resolve(prefix + "url"), remote.getValue().url());
            Files.writeString(folder.resolve(prefix + "token"), Marker.TEXT);
            for (Map.Entry<String, String> setting :
                    remote.getValue().settings().entrySet()) {
                Files.writeString(folder.resolve(prefix + setting.getKey()), setting.getValue());
            }
        }
        server.addConfiguration(folder);
        server.setProperties(Map.of(
                DESTINATIONS,
                Arrays.stream(Behaviour.values()).map(HostileIT::destination).collect(Collectors.joining(","))));
    }

    private static String destination(Behaviour behaviour) {
        return behaviour.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Answers what became of each entry, once it has an attempt in the journal and is no longer claimed. */
    private Map<Behaviour, JsonObject> sendOneEach() {
        Map<Behaviour, String> ids = new EnumMap<>(Behaviour.class);
        for (Behaviour behaviour : Behaviour.values()) {
            String body = Json.createObjectBuilder()
                    .add("destination", destination(behaviour))
                    .add("idempotency_key", Marker.TEXT + "-" + behaviour)
                    .add("payload", Marker.payload())
                    .build()
                    .toString();
            ids.put(
                    behaviour,
                    desk.operator("POST", "/entries", body, 201)
                            .getJsonObject("entry")
                            .getString("outbox_id"));
        }
        Map<Behaviour, JsonObject> stories = new EnumMap<>(Behaviour.class);
        ids.forEach((behaviour, id) -> stories.put(
                behaviour,
                await(behaviour + " has ended")
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(50))
                        .until(
                                () -> desk.operator("GET", "/entries/" + id, "", 200),
                                story -> !story.getJsonArray("attempts").isEmpty()
                                        && !status(story).equals("dispatching"))));
        return stories;
    }

    private static void assertEndAsDocumented(Map<Behaviour, HostileRemote> remotes, Map<Behaviour, JsonObject> stories)
            throws IOException {
        Map<String, List<String>> documented = BehaviourTable.read();
        assertThat(documented).hasSizeGreaterThanOrEqualTo(30).hasSameSizeAs(stories.keySet());
        SoftAssertions softly = new SoftAssertions();
        stories.forEach((behaviour, story) -> {
            String ended = words(story);
            softly.assertThat(documented.get(behaviour.label()))
                    .as(behaviour.label())
                    // Of one attempt the entry does not show whose fault it was; of its budget a test without a server
                    // tells.
                    .map(answer -> answer.replace("unavailable", "retryable"))
                    .contains(ended);
            int attempts = story.getJsonArray("attempts").size();
            softly.assertThat(attempts)
                    .as("attempts: " + behaviour.label())
                    .isEqualTo(story.getJsonObject("entry").getInt("attempt_count"));
            softly.assertThat(remotes.get(behaviour).requests())
                    .as("requests on the wire: " + behaviour.label())
                    .isIn(requests(behaviour, ended, attempts));
            if (behaviour.label().contains("`Retry-After`") && status(story).equals("pending")) {
                softly.assertThat(delay(story))
                        .as("delay: " + behaviour.label())
                        .isBetween(
                                least(behaviour).minusMinutes(1),
                                least(behaviour).plusMinutes(1));
            }
        });
        softly.assertAll();
        System.out.println(stories.size() + " remotes that misbehave, each ended as documented");
    }

    /** How many requests may have arrived: each attempt's, but those that the remote did not let arrive. */
    private static List<Integer> requests(Behaviour behaviour, String ended, int attempts) {
        List<Integer> requests = new ArrayList<>();
        if (!ended.contains("not_connected")) {
            requests.add(attempts);
        }
        if (ended.contains("not_connected") || !behaviour.readsRequests()) {
            requests.add(0);
        }
        return requests;
    }

    private static Duration least(Behaviour behaviour) {
        return switch (behaviour) {
            case UNAVAILABLE_DATE, UNAVAILABLE_ABSURD -> DAY;
            default -> BACKOFF;
        };
    }

    private static Duration delay(JsonObject story) {
        return Duration.between(
                Instant.parse(story.getJsonArray("attempts").getJsonObject(0).getString("ended_at")),
                Instant.parse(story.getJsonObject("entry").getString("next_attempt_at")));
    }

    private static String words(JsonObject story) {
        return switch (status(story)) {
            case "completed" -> "completed";
            case "failed" -> "permanent `" + story.getString("last_failure") + "`";
            case "outcome_unknown" -> "unknown";
            case "pending" -> "retryable `" + story.getString("last_failure") + "`";
            default -> throw new IllegalArgumentException(story.toString());
        };
    }

    private static String status(JsonObject story) {
        return story.getJsonObject("entry").getString("status");
    }
}
