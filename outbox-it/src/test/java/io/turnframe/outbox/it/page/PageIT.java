package io.turnframe.outbox.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator does on the page, and what others cannot. */
@NeedsBrowser
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
    "outbox.destination.airline.reconcile-url=http://localhost:${it.http-port}/travel-desk/api/airline/requests/{idempotency_key}",
    "outbox.health.max-due-age=1s",
    "outbox.admin.enqueue=true"
})
class PageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int WIDE = 1280;
    private static final int PHONE = 390;

    private static Browser browser;

    private Page page;

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = "travel-desk", order = 2, testable = false)
    static WebArchive travelDesk() {
        return Archives.travelDesk();
    }

    @BeforeAll
    static void start() {
        browser = new Browser();
    }

    @BeforeEach
    void signIn() {
        page = browser.open("operator", WIDE, "light").go("");
    }

    @AfterEach
    void findsNothingInTheConsole() {
        assertThat(page.complaints()).isEmpty();
        page.close();
    }

    @AfterAll
    static void end() {
        browser.close();
    }

    @Test
    void findsTheStuckDestinationAndLetsItGo() {
        page.click("#backlog button", "Hold airline");
        page.fill("#ask [name=note]", "their maintenance");
        page.click("#ask button", "Hold");
        page.awaitText("#notice", "airline is held");
        String id = enqueue("accept", "");

        page.awaitText("#health", "Degraded");
        page.awaitText("#problems", "airline:");
        page.awaitText("#d-airline", "Held by operator");
        assertThat(page.text("#d-airline")).contains("their maintenance");

        // By keyboard alone; the button is now another, and still the same to whoever stands on it.
        page.js("document.querySelector('#h-airline').focus()");
        page.key("Enter");
        page.await("document.activeElement.name === 'note'");
        page.key("Enter");
        page.awaitText("#notice", "airline is no longer held");
        page.await("document.activeElement.id === 'h-airline' && document.activeElement.textContent === 'Hold'");
        await(id, "completed");
        page.awaitText("#hour-summary", "completed");
        assertThat(page.text("#d-airline")).contains("Flowing");
    }

    @Test
    void readsTheStoryOfAnUnknownOutcomeAndReconcilesIt() {
        String id = entry("silent", "outcome_unknown");
        page.await("document.getElementById('u-" + id + "')");
        page.js("document.getElementById('u-" + id + "').focus()");
        page.key("Enter");
        page.awaitText("#record-story", "Attempt 1: unknown");
        assertThat(page.text("#record-meaning")).contains("Outcome unknown");

        page.click("#record-acts button", "Reconcile");
        page.fill("#ask [name=note]", "asked at three");
        page.click("#ask button", "Reconcile");
        page.awaitText("#record-notice", "The remote says: completed");
        page.awaitText("#record-meaning", "Completed");
        assertThat(page.text("#record-story"))
                .contains(
                        "Enqueued",
                        "Attempt 1: unknown",
                        "operator: reconcile",
                        "asked at three",
                        "Reconciler: completed");
        assertThat(page.sees("#record-acts button", "Erase payload")).isTrue();
        assertThat(page.sees("#record-acts button", "Reconcile")).isFalse();

        page.key("Escape");
        page.await("!document.querySelector('#record').open && document.activeElement.closest('table')");
        assertThat(page.js("location.search").toString()).doesNotContain(id);
    }

    @Test
    void asksForEvidenceBeforeAnUnknownOutcomeIsSentAgain() {
        String id = entry("silent", "outcome_unknown");
        page.go("?entry=" + id);
        page.click("#record-acts button", "Resend");
        page.click("#ask button", "Resend");
        assertThat(page.js(
                                "document.querySelector('#ask [name=note]').matches(':invalid') && document.querySelector('#ask').open")
                        .toString())
                .isEqualTo("true");
        page.fill("#ask [name=note]", "not on their list");
        page.click("#ask button", "Resend");
        page.awaitText("#record-story", "not on their list");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> record(id).getJsonArray("attempts").size() == 2);
        await(id, "outcome_unknown");
    }

    @Test
    void resubmitsFailuresOnlyAfterTheyWereCounted() {
        String prefix = UUID.randomUUID() + ":";
        List<String> ids =
                Stream.generate(() -> enqueue("refuse", prefix)).limit(3).toList();
        ids.forEach(id -> await(id, "failed"));
        page.go("");
        page.fill("#filter [name=key_prefix]", prefix);
        page.key("Enter");
        page.await("location.search === '?key_prefix=" + prefix.replace(":", "%3A") + "'");
        page.await("document.querySelectorAll('#entries tbody th').length === 3");
        page.click("#entries-bulk", "Act on all of them");
        page.fill("#bulk [name=note]", "seats again");
        page.click("#bulk button", "Count them first");
        page.awaitText("#bulk-plan", "Resubmit would be done to 3 entries");
        assertThat(page.text("#bulk-plan")).contains(prefix);
        page.click("#bulk button", "Resubmit 3 entries");
        page.awaitText("#bulk-plan", "completed: 3 of 3 done");
        for (String id : ids) {
            JsonObject act = record(id).getJsonArray("audit").getJsonObject(0);
            assertThat(act.getString("act") + " " + act.getString("note")).isEqualTo("resubmit seats again");
        }
        page.click("#bulk-close", "");
        page.click("summary", "Ended last");
        page.awaitText("#ended", "Bulk resubmit by operator completed: 3 of 3 done");
    }

    @Test
    void actsOnNothingThatWasChangedMeanwhile() {
        String id = entry("refuse", "failed");
        page.go("?entry=" + id);
        page.click("#record-acts button", "Erase payload");
        page.api("POST", "entries/" + id + "/resubmit", "{\"note\":\"by another\"}");
        page.click("#ask button", "Erase payload");
        page.awaitText("#record-notice", "changed meanwhile");
        page.awaitText("#record-story", "by another");
        assertThat(record(id).containsKey("payload_erased")).isFalse();
    }

    @Test
    void changesNothingUnderTheHandsOfWhoeverUsesIt() {
        String id = entry("refuse", "failed");
        page.go("?entry=" + id);
        page.click("#record-acts button", "Resubmit");
        page.fill("#ask [name=note]", "half a sent");
        page.js("document.querySelector('#freshness').textContent = ''; window.pressed = document.activeElement");
        enqueue("accept", "");
        page.awaitText("#freshness", "As of");
        assertThat(page.js("document.querySelector('#ask').open && document.activeElement === window.pressed"
                                + " && window.pressed.value")
                        .toString())
                .isEqualTo("\"half a sent\"");
    }

    @Test
    void offersNoActToAViewerAndNoPayloadWithoutItsRole() {
        String unknown = entry("silent", "outcome_unknown");
        String failed = entry("refuse", "failed");
        try (Page viewer = browser.open("viewer", WIDE, "light")) {
            for (String id : List.of(unknown, failed)) {
                viewer.go("?entry=" + id);
                viewer.awaitText("#record-story", "Attempt 1");
                assertThat(viewer.js(
                                        "[...document.querySelectorAll('button')].filter((button) => button.checkVisibility()"
                                                + " && !button.closest('#filter')).map((button) => button.id).join()")
                                .toString())
                        .isEqualTo("\"record-close\"");
                assertThat(viewer.sees("summary", "Payload")).isFalse();
            }
            assertThat(viewer.api("POST", "entries/" + failed + "/resubmit", "{}")
                            .getString("code"))
                    .isEqualTo("turnframe.admin.forbidden");
            assertThat(viewer.complaints()).isEmpty();
        }
        try (Page clerk = browser.open("clerk", WIDE, "light").go("?entry=" + failed)) {
            clerk.awaitText("#record-story", "Attempt 1");
            assertThat(clerk.sees("#record-acts button", "Resubmit")).isTrue();
            assertThat(clerk.sees("summary", "Payload")).isFalse();
            assertThat(clerk.js("document.documentElement.textContent.includes('Lovelace')")
                            .toString())
                    .isEqualTo("false");
            assertThat(clerk.api("GET", "entries/" + failed + "/payload", null).getString("code"))
                    .isEqualTo("turnframe.admin.forbidden");
        }
        page.go("?entry=" + failed);
        page.click("#record-payload summary", "Payload");
        page.awaitText("#record-payload pre", "Ada Lovelace");
    }

    @Test
    void isGoodForEveryoneOnEveryScreen() throws IOException {
        enqueue("accept", "");
        enqueue("busy", "");
        entry("refuse", "failed");
        String id = entry("silent", "outcome_unknown");
        String axe = axe();
        for (int width : List.of(WIDE, PHONE)) {
            for (String scheme : List.of("light", "dark")) {
                String at = width + "-" + scheme;
                try (Page seen = browser.open("operator", width, scheme).go("")) {
                    check(seen, axe, "overview-" + at);
                    seen.go("?entry=" + id);
                    seen.awaitText("#record-story", "Attempt 1");
                    check(seen, axe, "record-" + at);
                    seen.click("#record-acts button", "Fail");
                    check(seen, axe, "ask-" + at);
                    seen.key("Escape");
                    seen.key("Escape");
                    seen.await("!document.querySelector('dialog[open]')");
                    seen.click("#entries-bulk", "Act on all");
                    check(seen, axe, "bulk-" + at);
                    assertThat(seen.complaints()).isEmpty();
                }
            }
        }
    }

    private static void check(Page seen, String axe, String name) {
        seen.screenshot(name);
        assertThat(seen.violations(axe)).as(name).isEmpty();
        assertThat(seen.overflow()).as("scrolls sideways: " + name).isLessThanOrEqualTo(0);
    }

    private static String axe() throws IOException {
        try (InputStream script = PageIT.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Enqueues an entry which the airline answers so, under a key that begins so; answers its id. */
    private String enqueue(String behaviour, String keyPrefix) {
        JsonObject body = Json.createObjectBuilder()
                .add("destination", "airline")
                .add("idempotency_key", keyPrefix + "booking-" + UUID.randomUUID())
                .add(
                        "payload",
                        Json.createObjectBuilder()
                                .add("booking", "b")
                                .add("passenger", "Ada Lovelace")
                                .add("flight", "TF 17")
                                .add("behaviour", behaviour))
                .build();
        return page.api("POST", "entries", body.toString())
                .getJsonObject("entry")
                .getString("outbox_id");
    }

    /** Enqueues such an entry and waits until it is in that status. */
    private String entry(String behaviour, String status) {
        String id = enqueue(behaviour, "");
        await(id, status);
        return id;
    }

    private void await(String id, String status) {
        Awaitility.await("entry " + id + " becomes " + status)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> status.equals(record(id).getJsonObject("entry").getString("status")));
    }

    private JsonObject record(String id) {
        return page.api("GET", "entries/" + id, null);
    }
}
