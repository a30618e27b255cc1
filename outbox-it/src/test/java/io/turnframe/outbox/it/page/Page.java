package io.turnframe.outbox.it.page;

import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/**
 * The operator's page as one user sees it. Whatever is pressed is pressed with the mouse where it can be seen, or with the
 * keyboard.
 */
final class Page implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration INTERVAL = Duration.ofMillis(50);

    /** Finds what is visible, of these, and says this: by its label or its text, which begins so. */
    private static final String FIND = """
            const find = (selector, text) => [...document.querySelectorAll(selector)].find((element) =>
              element.checkVisibility() && (element.getAttribute('aria-label') ?? element.textContent).trim().startsWith(text));
            """;

    private final DevTools tools;
    private final String session;
    private final String context;
    private final int width;
    private final String site = TestServer.server().url("");
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    Page(DevTools tools, String session, String context, String user, int width, String scheme) {
        this.tools = tools;
        this.session = session;
        this.context = context;
        this.width = width;
        tools.listen(session, this::hear);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", "{}");
        }
        String login = user + ":" + System.getProperty("it.operator.password");
        call(
                "Network.setExtraHTTPHeaders",
                "{\"headers\":{\"Authorization\":\"Basic "
                        + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)) + "\"}}");
        call(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":" + width + ",\"height\":900,\"deviceScaleFactor\":1,\"mobile\":" + (width < 500) + "}");
        call(
                "Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + scheme + "\"}]}");
    }

    /** Keeps errors of scripts, breaches of the content security policy, and requests that leave the server. */
    private void hear(JsonObject event) {
        JsonObject parameters = event.getJsonObject("params");
        switch (event.getString("method")) {
            case "Runtime.exceptionThrown" ->
                complaints.add(parameters.getJsonObject("exceptionDetails").toString());
            case "Runtime.consoleAPICalled" -> {
                if (parameters.getString("type").equals("error")) {
                    complaints.add(parameters.toString());
                }
            }
            case "Log.entryAdded" -> {
                JsonObject entry = parameters.getJsonObject("entry");
                // A call that is refused, as a stale act is, counts as an error of the network.
                if (entry.getString("level").equals("error")
                        && !entry.getString("source").equals("network")) {
                    complaints.add(entry.toString());
                }
            }
            case "Network.requestWillBeSent" -> {
                String url = parameters.getJsonObject("request").getString("url");
                if (!url.startsWith(site + "/") && !url.startsWith("data:")) {
                    complaints.add("asked for " + url);
                }
            }
            default -> {
                // Nothing to remember.
            }
        }
    }

    /** What a person would find in the browser's console. */
    List<String> complaints() {
        return complaints;
    }

    /** @param query as {@code ?status=failed}, or empty */
    Page go(String query) {
        call(
                "Page.navigate",
                Json.createObjectBuilder().add("url", site + "/outbox/" + query).build());
        await(
                "document.readyState === 'complete' && document.querySelector('#freshness')?.textContent.startsWith('As of')");
        return this;
    }

    /**
     * Has whatever is opened from now on make its calls by way of this.
     *
     * @param script may answer a call, of {@code method} and {@code url}, or wait; else it goes on to the server
     */
    Page intercept(String script) {
        String source = "{ const call = window.fetch; window.fetch = async (to, options = {}) => {"
                + " const url = String(to); const method = options.method ?? 'GET'; " + script
                + " return call(to, options); }; }";
        call(
                "Page.addScriptToEvaluateOnNewDocument",
                Json.createObjectBuilder().add("source", source).build());
        return this;
    }

    /** Has the page look at once. */
    void refresh() {
        js("window.dispatchEvent(new Event('outbox:changed'))");
    }

    /** What an expression, or a promise, comes to. */
    JsonValue js(String expression) {
        JsonObject result = call(
                "Runtime.evaluate",
                Json.createObjectBuilder()
                        .add("expression", expression)
                        .add("awaitPromise", true)
                        .add("returnByValue", true)
                        .build());
        if (result.containsKey("exceptionDetails")) {
            throw new AssertionError(expression + " threw " + result.get("exceptionDetails"));
        }
        return result.getJsonObject("result").getOrDefault("value", JsonValue.NULL);
    }

    /** What a person reads there: text that can be seen; empty if there is no such element. */
    String text(String selector) {
        return ((JsonString) js("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''")).getString();
    }

    void awaitText(String selector, String part) {
        Awaitility.await("\"" + part + "\" at " + selector)
                .atMost(PATIENCE)
                .pollInterval(INTERVAL)
                .until(() -> text(selector), shown -> shown.contains(part));
    }

    void await(String condition) {
        Awaitility.await(condition)
                .atMost(PATIENCE)
                .pollInterval(INTERVAL)
                .until(() -> js("Boolean(" + condition + ")").equals(JsonValue.TRUE));
    }

    /** Whether one of these that begins so can be seen. */
    boolean sees(String selector, String text) {
        return js("(() => {" + FIND + "return Boolean(find(" + quoted(selector) + "," + quoted(text) + "))})()")
                .equals(JsonValue.TRUE);
    }

    /** Presses the mouse in the middle of the one that begins so, once it is there and nothing lies over it. */
    void click(String selector, String text) {
        String where = "(() => {" + FIND + """
                const element = find(%s, %s);
                element?.scrollIntoView({ block: 'center' });
                const box = element?.getBoundingClientRect();
                const at = box && [box.x + box.width / 2, box.y + box.height / 2];
                return at && !element.disabled && element.contains(document.elementFromPoint(...at)) ? at : [];
                })()""".formatted(quoted(selector), quoted(text));
        JsonArray at = Awaitility.await("\"" + text + "\" of " + selector + " can be pressed")
                .atMost(PATIENCE)
                .pollInterval(INTERVAL)
                .until(() -> js(where).asJsonArray(), found -> !found.isEmpty());
        for (String type : List.of("mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    "{\"type\":\"" + type + "\",\"button\":\"left\",\"clickCount\":1,\"x\":" + at.get(0) + ",\"y\":"
                            + at.get(1) + "}");
        }
    }

    /** Writes into the field, as with the keyboard. */
    void fill(String selector, String text) {
        await("document.querySelector(" + quoted(selector) + ")?.checkVisibility()");
        js("document.querySelector(" + quoted(selector) + ").focus()");
        call("Input.insertText", Json.createObjectBuilder().add("text", text).build());
    }

    /** Presses a key: Enter, Tab or Escape. */
    void key(String name) {
        int code = switch (name) {
            case "Enter" -> 13;
            case "Tab" -> 9;
            case "Escape" -> 27;
            default -> throw new IllegalArgumentException(name);
        };
        String key = "\"key\":\"" + name + "\",\"code\":\"" + name + "\",\"windowsVirtualKeyCode\":" + code
                + (name.equals("Enter") ? ",\"text\":\"\\r\"" : "");
        call("Input.dispatchKeyEvent", "{\"type\":\"keyDown\"," + key + "}");
        call("Input.dispatchKeyEvent", "{\"type\":\"keyUp\"," + key + "}");
    }

    /** A call of the admin resource by the page's user, without a look at the page. */
    JsonObject api(String method, String path, String body) {
        String text = ((JsonString) js("fetch(" + quoted(site + "/outbox/api/" + path) + ", { method: " + quoted(method)
                        + (body == null
                                ? ""
                                : ", headers: { 'Content-Type': 'application/json' }, body: " + quoted(body))
                        + " }).then((answer) => answer.text())"))
                .getString();
        return Json.createReader(new StringReader(text)).readObject();
    }

    /** Enqueues an entry which the airline answers so, under a key that begins so; answers its id. */
    String enqueue(String behaviour, String keyPrefix) {
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
        return api("POST", "entries", body.toString()).getJsonObject("entry").getString("outbox_id");
    }

    /** Enqueues such an entry and waits until it is in that status. */
    String entry(String behaviour, String status) {
        String id = enqueue(behaviour, "");
        awaitStatus(id, status);
        return id;
    }

    /** Waits until the entry is in that status. */
    void awaitStatus(String id, String status) {
        Awaitility.await("entry " + id + " becomes " + status)
                .atMost(PATIENCE)
                .pollInterval(INTERVAL)
                .until(() -> status.equals(record(id).getJsonObject("entry").getString("status")));
    }

    /** The key of an entry. */
    String keyOf(String id) {
        return record(id).getJsonObject("entry").getString("idempotency_key");
    }

    /** The record of an entry. */
    JsonObject record(String id) {
        return api("GET", "entries/" + id, null);
    }

    /** What axe finds of serious or critical impact: rule, and where. */
    List<String> violations(String axe) {
        js(axe + ";0");
        JsonArray found = js("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations"
                        + ".filter(({ impact }) => ['serious', 'critical'].includes(impact))"
                        + ".flatMap(({ id, nodes }) => nodes.map(({ target, any, all }) =>"
                        + " id + ' ' + target.join(' ') + ' ' + [...any, ...all].map(({ message }) => message).join('; '))))")
                .asJsonArray();
        return new ArrayList<>(found.getValuesAs(JsonString::getString));
    }

    /** How much wider the page is than the window. */
    int overflow() {
        return Integer.parseInt(js("document.documentElement.scrollWidth").toString()) - width;
    }

    /** The whole page, or what the window shows while a dialog is open. */
    void screenshot(String name) {
        // A dialog stands where the window is scrolled to.
        boolean window = js("Boolean(document.querySelector('dialog[open]'))").equals(JsonValue.TRUE);
        String height =
                js("Math.min(4000, document.documentElement.scrollHeight)").toString();
        String whole =
                "{\"format\":\"png\",\"captureBeyondViewport\":true,\"clip\":{\"x\":0,\"y\":0,\"scale\":1,\"width\":"
                        + width + ",\"height\":" + height + "}}";
        String data = call("Page.captureScreenshot", window ? "{\"format\":\"png\"}" : whole)
                .getString("data");
        try {
            Path folder = Files.createDirectories(Path.of(System.getProperty("it.work"), "page"));
            Files.write(folder.resolve(name + ".png"), Base64.getDecoder().decode(data));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private JsonObject call(String method, String parameters) {
        return call(method, Json.createReader(new StringReader(parameters)).readObject());
    }

    private JsonObject call(String method, JsonObject parameters) {
        return tools.call(session, method, parameters);
    }

    private static String quoted(String text) {
        return Json.createValue(text).toString();
    }

    @Override
    public void close() {
        tools.call(
                null,
                "Target.disposeBrowserContext",
                Json.createObjectBuilder().add("browserContextId", context).build());
    }
}
