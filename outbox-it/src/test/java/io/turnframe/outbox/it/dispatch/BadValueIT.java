package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator sets a bad value, and then a good one. */
@Tag("wildfly")
@Tag("embedded-database")
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Configured({"outbox.dispatch.enabled=true", "outbox.dispatch.tick=100ms"})
class BadValueIT {
    /** Read by the last of the timers. */
    private static final String KEY = "outbox.purge.completed-after";

    /** Ten ticks, if there were any. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** WildFly says so of a tick that finds the one before it waiting. */
    private static final String OVERLAP = "WFLYEJB0043";

    private final TestServer server = TestServer.server();
    private final Desk desk = new Desk(server);

    @Deployment(testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Test
    void leavesNoTimerBehindAndStartsWithAGoodOne() {
        server.setProperties(Map.of(KEY, "30"));
        try {
            assertThatThrownBy(server::redeploy).hasMessageContaining(KEY + " is '30'; write a duration");
            long overlaps = overlaps();
            await().during(QUIET).atMost(QUIET.multipliedBy(10)).until(() -> overlaps() == overlaps);
        } finally {
            server.resetProperties(Set.of(KEY));
        }
        server.redeploy();
        desk.operator("GET", "/stats", "", 200);
    }

    @Test
    void failsARunOverABadParameterAndSaysWhichInItsExitStatus() {
        server.startDispatchJob("batch_size=>5");
        awaitFailed(
                "outbox-dispatch", "batch_size is no parameter of this job; there are backoffMultiplier, batchSize");
        server.startDispatchJob("batchSize=>0");
        awaitFailed("outbox-dispatch", "batchSize is 0 but must lie between 1 and 10000");
        server.startPurgeJob("30");
        awaitFailed("outbox-purge", "completedAfter is '30'; write a duration");
    }

    private void awaitFailed(String job, String sentence) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(desk.operator("GET", "/jobs", "", 200)
                                .getJsonArray("jobs")
                                .getValuesAs(JsonObject.class))
                        .anySatisfy(run -> {
                            assertThat(run.getString("job")).isEqualTo(job);
                            assertThat(run.getString("status")).isEqualTo("FAILED");
                            assertThat(run.getString("exit_status")).startsWith(sentence);
                        }));
    }

    private long overlaps() {
        return server.logged().stream().filter(line -> line.contains(OVERLAP)).count();
    }
}
