package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.Client.Answer;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator does, over HTTP; what each act makes of an entry is tested in the store. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("wildfly")
@Tag("embedded-database")
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=200ms",
    "outbox.dispatch.send-timeout=1s",
    "outbox.dispatch.claim-timeout=5s",
    "outbox.dispatch.journal=all",
    "outbox.reconcile.enabled=false",
    "outbox.admin.enqueue=true"
})
class AdminIT extends WithTravelDesk {
    private final AdminCalls admin = new AdminCalls();

    @Test
    void tellsAnEntrysWholeStoryAndActsOnTheVersionThatWasSeen() {
        String id = admin.entry("silent", "outcome_unknown");
        Answer seen = admin.get("/entries/" + id);
        assertThat(seen.header("ETag")).matches("\"[\\w-]+\\.p\"");
        assertThat(seen.json().getJsonArray("attempts").getJsonObject(0).getString("outcome"))
                .isEqualTo("unknown");
        assertThat(admin.get("/entries/" + id, "If-None-Match", seen.header("ETag"))
                        .status())
                .isEqualTo(304);

        Answer resend = admin.post("/entries/" + id + "/authorise-resend", "{}");
        assertThat(resend.status()).isEqualTo(400);
        assertThat(resend.json().getString("detail")).contains("note is missing");
        Answer failed = admin.post(
                "/entries/" + id + "/fail",
                "{\"code\":\"airline.lost\",\"note\":\"they never got it\"}",
                "If-Match",
                seen.header("ETag"));
        assertThat(failed.status()).isEqualTo(200);
        JsonObject act = failed.json().getJsonArray("audit").getJsonObject(0);
        assertThat(act.getString("actor")).isEqualTo("operator");
        assertThat(act.getString("act")).isEqualTo("fail");
        assertThat(act.getString("from_status")).isEqualTo("outcome_unknown");
        assertThat(act.getString("note")).isEqualTo("they never got it");

        Answer stale = admin.post(
                "/entries/" + id + "/erase-payload", "{\"note\":\"asked\"}", "If-Match", seen.header("ETag"));
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.json().getString("code")).isEqualTo("turnframe.admin.stale");
        Answer erased = admin.post("/entries/" + id + "/erase-payload", "", "If-Match", failed.header("ETag"));
        assertThat(erased.json().getBoolean("payload_erased")).isTrue();
        assertThat(admin.get("/entries/" + id + "/payload").text()).isEqualTo("{\"erased\":true}");
        Answer nothingToSend = admin.post("/entries/" + id + "/resubmit", "");
        assertThat(nothingToSend.status()).isEqualTo(409);
        assertThat(nothingToSend.json().getString("code")).isEqualTo("turnframe.admin.payload_erased");
    }

    @Test
    void sendsAgainWhatAnOperatorAuthorised() {
        String id = admin.entry("silent", "outcome_unknown");
        Answer resend = admin.post("/entries/" + id + "/authorise-resend", "{\"note\":\"not on their list\"}");
        assertThat(resend.status()).isEqualTo(200);
        assertThat(resend.json().getBoolean("authorised")).isTrue();
        assertThat(AdminCalls.status(resend.json().getJsonObject("record"))).isIn("pending", "dispatching");
        admin.await(id, "outcome_unknown");
        assertThat(admin.record(id).getJsonArray("attempts")).hasSize(2);
        assertThat(admin.post("/entries/" + id + "/complete", "").status()).isEqualTo(200);
        assertThat(AdminCalls.status(admin.record(id))).isEqualTo("completed");
    }

    @Test
    void resubmitsWhatFailed() {
        String id = admin.entry("refuse", "failed");
        Answer resubmitted = admin.post("/entries/" + id + "/resubmit", "{\"note\":\"a seat is free\"}");
        assertThat(resubmitted.status()).isEqualTo(200);
        JsonObject failedAgain = admin.await(id, "failed");
        assertThat(failedAgain.getJsonObject("entry").getInt("attempt_count")).isEqualTo(2);
        assertThat(admin.post("/entries/" + id + "/reschedule", "{\"next_attempt_at\":\"2026-12-01T00:00:00Z\"}")
                        .json()
                        .getString("code"))
                .isEqualTo("turnframe.store.conflict");
    }

    @Test
    void recordsEveryActOfTheResource() {
        admin.put("/destinations/airline", "{\"held\":false,\"note\":\"" + UUID.randomUUID() + "\"}");
        admin.post("/hold", "{\"held\":false}");
        Answer started = admin.post("/dispatch", "{\"batch_size\":3}");
        String execution = started.json().get("execution_id").toString();
        admin.post("/jobs/" + execution + "/stop", "{\"note\":\"enough\"}");
        Answer released = admin.post("/claims/release", "");
        assertThat(released.status()).isEqualTo(200);
        assertThat(released.json().getJsonArray("pending")).isEmpty();

        Answer page = admin.get("/audit?limit=4");
        List<String> acts = page.json().getJsonArray("acts").getValuesAs(JsonObject.class).stream()
                .map(act -> act.getString("act") + " " + act.getString("destination", "") + " "
                        + act.getString("detail", ""))
                .toList();
        assertThat(acts)
                .containsExactly(
                        "stop  job=outbox-dispatch execution=" + execution,
                        "dispatch  batchSize=3",
                        "control * held=false",
                        "control airline held=false");
        assertThat(admin.get("/audit?limit=1&cursor=" + page.json().getString("next_cursor"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void resubmitsManyOnlyAfterTheyWereCounted() {
        String prefix = UUID.randomUUID() + ":";
        List<String> ids =
                Stream.generate(() -> admin.enqueue("refuse", prefix)).limit(3).toList();
        ids.forEach(id -> admin.await(id, "failed"));
        assertThat(admin.get("/entries?status=failed&limit=2&key_prefix=" + prefix)
                        .json()
                        .getJsonArray("entries"))
                .hasSize(2);

        String bulk = "\"act\":\"resubmit\",\"filter\":{\"destination\":\"airline\",\"key_prefix\":\"" + prefix + "\"}";
        JsonObject plan = admin.post("/bulk", "{" + bulk + ",\"dry_run\":true}").json();
        assertThat(plan.getInt("count")).isEqualTo(3);
        assertThat(plan.getJsonArray("first")).hasSize(3);
        Answer changed = admin.post("/bulk", "{" + bulk + ",\"expected\":2}");
        assertThat(changed.status()).isEqualTo(409);
        assertThat(changed.json().getString("code")).isEqualTo("turnframe.admin.bulk_changed");
        assertThat(admin.post("/bulk", "{" + bulk + "}").status()).isEqualTo(400);

        JsonObject started = admin.post("/bulk", "{" + bulk + ",\"expected\":3,\"note\":\"seats\"}")
                .json();
        String path = "/bulk/" + started.getString("bulk_id");
        JsonObject ended = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> admin.get(path).json(),
                        now -> !now.getString("status").equals("running"));
        assertThat(ended.getString("status")).isEqualTo("completed");
        assertThat(ended.getInt("done")).isEqualTo(3);
        for (String id : ids) {
            JsonObject act = admin.record(id).getJsonArray("audit").getJsonObject(0);
            assertThat(act.getString("act")).isEqualTo("resubmit");
            assertThat(act.getString("note")).isEqualTo("seats");
            assertThat(act.getString("detail")).isEqualTo("bulk=" + started.getString("bulk_id"));
        }
        assertThat(admin.post(path + "/cancel", "").json().getString("status")).isEqualTo("completed");
        assertThat(admin.get("/bulk/" + UUID.randomUUID()).status()).isEqualTo(404);
    }

    @Test
    void tellsProbesWithoutAUserAndOperatorsWhatIsTheMatter() {
        assertThat(admin.anonymous("/health/live").json().getString("status")).isEqualTo("up");
        assertThat(admin.anonymous("/health/ready").json().getString("status")).isEqualTo("up");
        assertThat(admin.anonymous("/health").status()).isEqualTo(401);
        assertThat(admin.anonymous("/openapi.json").status()).isEqualTo(401);

        admin.put("/destinations/airline", "{\"held\":true}");
        try {
            admin.enqueue("accept", "");
            JsonObject health = Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(
                            () -> admin.get("/health").json(),
                            told -> told.getString("status").equals("degraded"));
            assertThat(health.getJsonArray("problems").getValuesAs(JsonObject.class))
                    .extracting(problem -> problem.getString("code") + " " + problem.getString("destination", ""))
                    .contains("turnframe.health.held airline");
        } finally {
            admin.put("/destinations/airline", "{\"held\":false}");
        }
    }

    @Test
    void givesFiguresToAMonitor() {
        admin.entry("refuse", "failed");
        Answer metrics = Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> admin.get("/metrics"), answer -> answer.text().contains("outbox_settled_failed_total{"));
        assertThat(metrics.header("Content-Type")).startsWith("text/plain");
        assertThat(metrics.text())
                .contains(
                        "outbox_send_seconds_bucket{destination=\"airline\"",
                        "outbox_entries_failed{destination=\"airline\"}");
    }

    @Test
    void describesItselfAndExports() {
        JsonObject document = admin.get("/openapi.json").json();
        assertThat(document.getJsonObject("paths")).containsKey("/entries/{id}/authorise-resend");

        String id = admin.entry("refuse", "failed");
        Answer csv = admin.get("/export?status=failed");
        assertThat(csv.header("Content-Type")).isEqualToIgnoringCase("text/csv;charset=UTF-8");
        assertThat(csv.header("Content-Disposition")).isEqualTo("attachment; filename=\"outbox.csv\"");
        assertThat(csv.text()).startsWith("outbox_id,").contains("\"" + id + "\"");
        assertThat(admin.get("/export?status=failed&format=jsonl").text())
                .contains(id)
                .doesNotContain("Ada");
        assertThat(admin.get("/export?format=xml").status()).isEqualTo(400);
    }

    @Test
    void sendsTheDocumentedHeaders() {
        Answer answer = admin.get("/stats");
        assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'", "frame-ancestors 'none'");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        Answer forged = admin.post("/hold", "{\"held\":true}", "Sec-Fetch-Site", "cross-site");
        assertThat(forged.status()).isEqualTo(403);
        assertThat(forged.json().getString("code")).isEqualTo("turnframe.admin.cross_site");
    }

    @Test
    void refusesWhatItCannotMean() {
        String unknown = "/entries/" + UUID.randomUUID();
        for (String act : List.of("complete", "fail", "resubmit", "reconcile", "erase-payload")) {
            assertThat(admin.post(unknown + "/" + act, "").status()).as(act).isEqualTo(404);
            assertThat(admin.post(unknown + "/" + act, "{\"colour\":1}").status())
                    .as(act)
                    .isEqualTo(400);
            assertThat(admin.post("/entries/1-1-1-1-1/" + act, "").status())
                    .as(act)
                    .isEqualTo(400);
            assertThat(admin.get(unknown + "/" + act).status()).as(act).isEqualTo(405);
        }
    }
}
