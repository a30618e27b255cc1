package io.turnframe.outbox.it.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.JsonObject;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One entry at a time, by an operator; no sweep comes in between. */
@Tag("dispatcher")
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.send-timeout=500ms",
    "outbox.admin.enqueue=true",
    "outbox.destination.airline.sender=" + Operator.REMOTE + "OutboxSender",
    "outbox.destination.airline.reconciler=" + Operator.REMOTE + "OutboxReconciler",
    "outbox.reconcile.enabled=false",
    "outbox.reconcile.settling-time=3s"
})
class ReconcileByHandIT {
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
    void settlesByTheAnswerAndTellsIt() {
        JsonObject completed = operator.reconcile(operator.unknown(Operator.key("completed")), 200);
        assertThat(completed.getString("answer")).isEqualTo("completed");
        assertThat(completed.getBoolean("settled")).isTrue();
        assertThat(status(completed)).isEqualTo("completed");

        JsonObject failed = operator.reconcile(operator.unknown(Operator.key("failed")), 200);
        assertThat(failed.getString("answer")).isEqualTo("failed");
        assertThat(failed.getJsonObject("record").getString("last_failure")).isEqualTo("remote.never_booked");

        JsonObject unresolved = operator.reconcile(operator.unknown(Operator.key("unresolved")), 200);
        assertThat(unresolved.getString("answer")).isEqualTo("unresolved");
        assertThat(unresolved.getBoolean("settled")).isFalse();
        assertThat(status(unresolved)).isEqualTo("outcome_unknown");
    }

    @Test
    void sendsAgainOnlyAfterTheSettlingTime() {
        String key = Operator.key("resend");
        String id = operator.unknown(key);
        JsonObject settled = Awaitility.await().until(() -> operator.reconcile(id, 200), ended -> {
            assertThat(ended.getString("answer")).isEqualTo("resend");
            return ended.getBoolean("settled");
        });
        assertThat(status(settled)).isIn("pending", "dispatching", "completed");
        operator.await(id, "completed");
        assertThat(operator.requests(key)).containsExactly(Operator.payload(), Operator.payload());
    }

    @Test
    void leavesAloneWhatIsNotUnknownAndRefusesWhatIsNotThere() {
        String id = operator.unknown(Operator.key("completed"));
        operator.reconcile(id, 200);
        JsonObject before = operator.record(id);
        JsonObject again = operator.reconcile(id, 200);
        assertThat(again.getString("answer")).isEqualTo("unresolved");
        assertThat(again.getBoolean("settled")).isFalse();
        assertThat(again.getJsonObject("record")).isEqualTo(before);

        assertThat(operator.reconcile(UUID.randomUUID().toString(), 404).getString("code"))
                .isEqualTo("turnframe.store.not_found");
    }

    private static String status(JsonObject ended) {
        return ended.getJsonObject("record").getJsonObject("entry").getString("status");
    }
}
