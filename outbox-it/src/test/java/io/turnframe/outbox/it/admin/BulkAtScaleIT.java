package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import jakarta.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A resubmit of ten thousand over HTTP: cancelled midway while others claim, then done to the end. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("wildfly")
@Tag("database-server")
@Tag("dispatcher")
@Configured({"outbox.dispatch.enabled=true", "outbox.dispatch.tick=200ms", "outbox.admin.enqueue=true"})
class BulkAtScaleIT extends WithTravelDesk {
    private static final int FAILED = 10_000;
    private static final int HELD = 3;

    /** The resubmit of the row in the middle waits while the test holds this lock. */
    private static final long LOCK = 20_261;

    private final AdminCalls admin = new AdminCalls();
    private final String prefix = "bulk-" + UUID.randomUUID() + ":";
    private final String bulk =
            "\"act\":\"resubmit\",\"filter\":{\"failure_code\":\"airline.down\",\"key_prefix\":\"" + prefix + "\"}";

    private Connection database;

    /** Of a destination that nobody sends to: what is resubmitted stays pending. */
    @BeforeEach
    void fail() throws SQLException {
        database = TestServer.server().database();
        execute("INSERT INTO tf_outbox (outbox_id, command_id, destination, payload, idempotency_key, status,"
                + " attempt_count, created_at, completed_at, last_failure)"
                + " SELECT gen_random_uuid(), gen_random_uuid(), 'nobody', '{}', '" + prefix + "' || i, 'failed', 5,"
                + " now() - interval '1 day' - i * interval '1 s', now(), 'airline.down'"
                + " FROM generate_series(1, " + FAILED + ") i");
        execute("CREATE FUNCTION tf_test_wait() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM pg_advisory_xact_lock_shared(" + LOCK + "); RETURN NEW; END'");
        execute("CREATE TRIGGER tf_test_wait BEFORE UPDATE ON tf_outbox FOR EACH ROW"
                + " WHEN (NEW.status = 'pending' AND NEW.idempotency_key = '" + prefix + FAILED / 2 + "')"
                + " EXECUTE FUNCTION tf_test_wait()");
    }

    @AfterEach
    void clear() throws SQLException {
        execute("SELECT pg_advisory_unlock_all()");
        execute("DROP FUNCTION IF EXISTS tf_test_wait() CASCADE");
        execute("DELETE FROM tf_outbox WHERE idempotency_key LIKE '" + prefix + "%'");
        database.close();
    }

    @Test
    void isDoneInStepsCancelledMidwayAndDoneToTheEnd() throws SQLException {
        execute("SELECT pg_advisory_lock(" + LOCK + ")");
        JsonObject cancelled = start(FAILED);
        int before = FAILED / 2 - 200;
        await(cancelled, before, "running");
        String sent = admin.entry("accept", "completed");
        assertThat(admin.record(sent).getJsonObject("entry").getInt("attempt_count"))
                .as("claimed and sent beside a step that stands still")
                .isEqualTo(1);
        admin.post(path(cancelled) + "/cancel", "{\"note\":\"not yet\"}");
        execute("SELECT pg_advisory_unlock(" + LOCK + ")");
        await(cancelled, FAILED / 2, "cancelled");
        assertThat(count("status = 'pending'")).isEqualTo(FAILED / 2);
        assertThat(count("status = 'failed' AND attempts_forgiven = 0")).isEqualTo(FAILED / 2);
        assertThat(recorded(cancelled)).isEqualTo(FAILED / 2);

        try (Connection holder = TestServer.server().database();
                Statement lock = holder.createStatement()) {
            holder.setAutoCommit(false);
            lock.execute("SELECT 1 FROM tf_outbox WHERE status = 'failed' AND idempotency_key LIKE '" + prefix
                    + "%' LIMIT " + HELD + " FOR UPDATE");
            JsonObject completed = start(FAILED / 2);
            JsonObject ended = await(completed, FAILED / 2 - HELD, "completed");
            assertThat(ended.getInt("skipped")).isEqualTo(HELD);
            assertThat(recorded(completed)).isEqualTo(FAILED / 2 - HELD);
            holder.rollback();
        }
        assertThat(count("status = 'failed'")).isEqualTo(HELD);
        assertThat(planned()).isEqualTo(HELD);
    }

    /** What the dry run says is what is to be done. */
    private JsonObject start(int expected) {
        assertThat(planned()).isEqualTo(expected);
        return admin.post("/bulk", "{" + bulk + ",\"expected\":" + expected + "}")
                .json();
    }

    private int planned() {
        return admin.post("/bulk", "{" + bulk + ",\"dry_run\":true}").json().getInt("count");
    }

    private static String path(JsonObject started) {
        return "/bulk/" + started.getString("bulk_id");
    }

    private JsonObject await(JsonObject started, int done, String status) {
        return Awaitility.await(status + " after " + done)
                .atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> admin.get(path(started)).json(),
                        now -> now.getInt("done") == done
                                && now.getString("status").equals(status));
    }

    private long recorded(JsonObject started) throws SQLException {
        return number("SELECT count(DISTINCT outbox_id) FROM tf_outbox_audit WHERE act = 'resubmit' AND detail = 'bulk="
                + started.getString("bulk_id") + "'");
    }

    private long count(String condition) throws SQLException {
        return number("SELECT count(*) FROM tf_outbox WHERE idempotency_key LIKE '" + prefix + "%' AND " + condition);
    }

    private long number(String select) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute(sql);
        }
    }
}
