package io.turnframe.outbox.it.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.JsonObject;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Swept by the timer. The dispatcher's own tick is an hour, so what is sent again is sent because it was woken. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=1h",
    "outbox.dispatch.send-timeout=500ms",
    "outbox.admin.enqueue=true",
    "outbox.destination.airline.sender=" + Operator.REMOTE + "OutboxSender",
    "outbox.destination.airline.reconciler=" + Operator.REMOTE + "OutboxReconciler",
    "outbox.reconcile.interval=200ms",
    "outbox.reconcile.initial-backoff=100ms",
    "outbox.reconcile.settling-time=2s",
    "outbox.reconcile.overdue-after=1s"
})
class ReconcileIT {
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final Operator operator = new Operator(TestServer.server());

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = "remote", order = 2, testable = false)
    static WebArchive remote() {
        return Operator.remote();
    }

    @Test
    void completesWhatTheRemoteHas() {
        String key = Operator.key("completed");
        JsonObject record = operator.await(operator.enqueue("airline", key), "completed");
        assertThat(record.getString("remote_ref")).isEqualTo("found");
        assertThat(operator.requests(key)).hasSize(1);
    }

    @Test
    void failsWhatTheRemoteWillNeverHave() {
        String key = Operator.key("failed");
        JsonObject record = operator.await(operator.enqueue("airline", key), "failed");
        assertThat(record.getString("last_failure")).isEqualTo("remote.never_booked");
        assertThat(operator.requests(key)).hasSize(1);
    }

    @Test
    void sendsExactlyOnceMoreWithTheSameKeyAndBytesWhatNeverArrived() {
        String key = Operator.key("resend");
        JsonObject record = operator.await(operator.enqueue("airline", key), "completed");
        assertThat(record.getString("remote_ref")).isEqualTo("request-2");
        assertThat(record.getJsonObject("entry").getInt("attempt_count")).isEqualTo(2);
        assertThat(operator.requests(key)).containsExactly(Operator.payload(), Operator.payload());
    }

    @Test
    void leavesWhatNobodyKnowsAsOneRequestForEver() {
        String unresolved = Operator.key("unresolved");
        String broken = Operator.key("broken");
        String first = operator.unknown(unresolved);
        String second = operator.unknown(broken);
        await().during(QUIET)
                .atMost(QUIET.multipliedBy(10))
                .until(() -> operator.status(first).equals("outcome_unknown")
                        && operator.status(second).equals("outcome_unknown")
                        && operator.requests(unresolved).size() == 1
                        && operator.requests(broken).size() == 1);
        assertThat(operator.stats().getInt("unknown_overdue")).isGreaterThanOrEqualTo(2);
        assertThat(operator.stats().getInt("unknown_without_reconciler")).isZero();
        assertThat(TestServer.server().logged()).anyMatch(line -> line.contains("has been unknown for more than PT1S"));
    }
}
