package io.turnframe.outbox.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
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
class PageIT extends WithTravelDesk {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int WIDE = 1280;
    private static final int PHONE = 390;

    private static Browser browser;

    private Page page;

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
        String id = page.enqueue("accept", "");

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
        page.awaitStatus(id, "completed");
        page.awaitText("#hour-summary", "completed");
        assertThat(page.text("#d-airline")).contains("Flowing");
    }

    @Test
    void readsTheStoryOfAnUnknownOutcomeAndReconcilesIt() {
        String id = page.entry("silent", "outcome_unknown");
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
        String id = page.entry("silent", "outcome_unknown");
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
                .until(() -> page.record(id).getJsonArray("attempts").size() == 2);
        page.awaitStatus(id, "outcome_unknown");
    }

    @Test
    void resubmitsFailuresOnlyAfterTheyWereCounted() {
        String prefix = UUID.randomUUID() + ":";
        List<String> ids =
                Stream.generate(() -> page.enqueue("refuse", prefix)).limit(3).toList();
        ids.forEach(id -> page.awaitStatus(id, "failed"));
        // The first look at it fails.
        page.intercept("if (/\\/bulk\\/[^/]+$/.test(url) && method === 'GET' && !window.lost) {"
                        + " window.lost = true; return new Response('{}', { status: 503 }); }")
                .go("");
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
            JsonObject act = page.record(id).getJsonArray("audit").getJsonObject(0);
            assertThat(act.getString("act") + " " + act.getString("note")).isEqualTo("resubmit seats again");
        }
        page.click("#bulk-close", "");
        page.click("summary", "Ended last");
        page.awaitText("#ended", "Bulk resubmit by operator completed: 3 of 3 done");
    }

    @Test
    void actsOnNothingThatWasChangedMeanwhile() {
        String id = page.entry("refuse", "failed");
        page.go("?entry=" + id);
        page.click("#record-acts button", "Erase payload");
        page.api("POST", "entries/" + id + "/resubmit", "{\"note\":\"by another\"}");
        page.click("#ask button", "Erase payload");
        page.awaitText("#record-notice", "changed meanwhile");
        page.awaitText("#record-story", "by another");
        assertThat(page.record(id).containsKey("payload_erased")).isFalse();
    }

    @Test
    void changesNothingUnderTheHandsOfWhoeverUsesIt() {
        String id = page.entry("refuse", "failed");
        page.go("?entry=" + id);
        page.click("#record-acts button", "Resubmit");
        page.fill("#ask [name=note]", "half a sent");
        page.js("document.querySelector('#freshness').textContent = ''; window.pressed = document.activeElement");
        page.enqueue("accept", "");
        page.awaitText("#freshness", "As of");
        assertThat(page.js("document.querySelector('#ask').open && document.activeElement === window.pressed"
                                + " && window.pressed.value")
                        .toString())
                .isEqualTo("\"half a sent\"");
    }

    @Test
    void offersNoActToAViewerAndNoPayloadWithoutItsRole() {
        String unknown = page.entry("silent", "outcome_unknown");
        String failed = page.entry("refuse", "failed");
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
        page.api("POST", "entries/" + failed + "/erase-payload", "{}");
        page.refresh();
        page.awaitText("#record-payload pre", "erased");
    }

    @Test
    void tellsALateAnswerInNoOtherRecord() {
        String slow = page.entry("refuse", "failed");
        String other = page.entry("refuse", "failed");
        page.intercept("if (method === 'POST' && url.endsWith('/resubmit')) {"
                        + " await new Promise((go) => { window.letGo = go; }); }")
                .go("?entry=" + slow);
        page.click("#record-acts button", "Resubmit");
        page.click("#ask button", "Resubmit");
        page.await("window.letGo");
        page.key("Escape");
        page.await("!document.querySelector('#ask').open");
        page.click("#record-close", "");
        page.await("!document.querySelector('#record').open");
        page.click("#e-" + other, "");
        page.awaitText("#record-title", page.keyOf(other));
        page.awaitText("#record-story", "Attempt 1");

        page.js("window.letGo()");
        page.awaitText("#notice", page.keyOf(slow) + ": Done");
        assertThat(page.text("#record-title")).isEqualTo(page.keyOf(other));
        assertThat(page.text("#record-notice")).isEmpty();
    }

    @Test
    void limitsADestinationAndLeavesWhatAnotherSaidOfIt() {
        page.intercept("if (window.away && url.endsWith('/stats')) { return new Response('{}', { status: 503 }); }")
                .go("");
        page.js("window.away = true");
        page.click("#backlog button", "Limit airline");
        try {
            page.api("PUT", "destinations/airline", "{\"held\":true,\"concurrency\":7,\"note\":\"by another\"}");
            page.fill("#ask [name=rate]", "5");
            page.click("#ask button", "Limit");
            page.awaitText("#notice", "airline is limited");
            page.awaitText("#d-airline", "7 claims at once, 5 a second");
            assertThat(page.text("#d-airline")).contains("Held by operator", "by another");

            page.api("PUT", "destinations/airline", "{\"held\":true,\"concurrency\":8}");
            page.click("#backlog button", "Resume airline");
            page.click("#ask button", "Resume");
            page.awaitText("#notice", "airline is no longer held");
            page.awaitText("#d-airline", "8 claims at once");
            page.awaitText("#freshness", "Not up to date");
        } finally {
            page.api("PUT", "destinations/airline", "{\"held\":false}");
        }
    }

    @Test
    void showsTheLongestUnknownOfAllPages() {
        page.intercept("""
                if (url.includes('/entries?status=outcome_unknown&limit=100')) {
                  const page = Number(new URL(url).searchParams.get('cursor') ?? 1);
                  const entries = [{ unknown_since: `2026-01-01T00:00:${60 - page}Z`,
                    entry: { outbox_id: `${page}`, idempotency_key: `page-${page}`, destination: 'airline', attempt_count: 1 } }];
                  return Response.json({ entries, next_cursor: page < window.pages ? `${page + 1}` : undefined });
                }""").go("");
        page.js("window.pages = 3");
        page.refresh();
        page.awaitText("#unknown tbody tr", "page-3");
        assertThat(page.text("#unknown-note")).isEqualTo("Longest first.");
        page.js("window.pages = 99");
        page.refresh();
        page.awaitText("#unknown-note", "of the newest 10");
        assertThat(page.text("#unknown tbody tr")).contains("page-10");
        page.click("#unknown-note a", "there are more");
        page.await("location.search === '?status=outcome_unknown'");
    }

    @Test
    void showsNoEntriesOfAnotherFilterWhenOneIsRefused() {
        page.entry("refuse", "failed");
        page.go("?status=failed");
        assertThat(page.sees("#export", "Export")).isTrue();
        page.fill("#filter [name=command_id]", "no-uuid");
        page.key("Enter");
        page.awaitText("#entries tbody", "command_id");
        assertThat(page.js("document.querySelectorAll('#entries tbody th').length")
                        .toString())
                .isEqualTo("0");
        assertThat(page.sees("#export, .pager a", "")).isFalse();
    }

    @Test
    void recoversWhenACallHasFailed() {
        String id = page.entry("refuse", "failed");
        page.intercept("if ((url.endsWith('/me') && !window.asked) || (url.endsWith('" + id + "') && window.away)) {"
                        + " window.asked = true; return new Response('{}', { status: 503 }); }")
                .go("?entry=" + id);
        page.awaitText("#record-acts", "Resubmit");
        page.js("window.away = true");
        page.refresh();
        page.awaitText("#record-notice", "HTTP 503");
        page.js("window.away = false");
        page.refresh();
        page.await("document.querySelector('#record-notice').textContent === ''");
        assertThat(page.js("document.querySelector('#dispatch').hidden").toString())
                .isEqualTo("false");
    }

    @Test
    void isGoodForEveryoneOnEveryScreen() throws IOException {
        page.enqueue("accept", "");
        page.enqueue("busy", "");
        page.entry("refuse", "failed");
        String id = page.entry("silent", "outcome_unknown");
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
}
