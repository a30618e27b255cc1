package io.turnframe.outbox.it.page;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Chromium or Chrome without a window, with a profile of its own under {@code target}. */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final DevTools tools;

    /** The one that {@code it.browser} names, else the first that is found on the path. */
    static Optional<Path> executable() {
        String named = System.getProperty("it.browser", "");
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named)).filter(Files::isExecutable);
        }
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Browser() {
        try {
            Path profile = Path.of(System.getProperty("it.work"), "browser");
            Files.createDirectories(profile);
            Path port = profile.resolve("DevToolsActivePort");
            Files.deleteIfExists(port);
            // It may run as root, and where /dev/shm is small; it asks nobody about updates or anything else.
            process = new ProcessBuilder(
                            executable().orElseThrow().toString(),
                            "--headless=new",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-dev-shm-usage",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--no-first-run",
                            "--hide-scrollbars",
                            "--remote-debugging-port=0",
                            "--user-data-dir=" + profile,
                            "about:blank")
                    .redirectErrorStream(true)
                    .redirectOutput(profile.resolve("output.txt").toFile())
                    .start();
            tools = new DevTools(Awaitility.await("the browser starts")
                    .atMost(PATIENCE)
                    .failFast("the browser has ended; see " + profile.resolve("output.txt"), () -> !process.isAlive())
                    .until(() -> address(port), address -> !address.isEmpty()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Port and path, which it writes in two lines; empty until they are there. */
    private static String address(Path file) throws IOException {
        if (!Files.exists(file)) {
            return "";
        }
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String port = lines.readLine();
            String path = lines.readLine();
            return path == null ? "" : "ws://127.0.0.1:" + port + path;
        }
    }

    /** A new page that shares nothing with others. */
    Page open(String user, int width, String scheme) {
        String context = tools.call(null, "Target.createBrowserContext", JsonObject.EMPTY_JSON_OBJECT)
                .getString("browserContextId");
        JsonObject target = Json.createObjectBuilder()
                .add("url", "about:blank")
                .add("browserContextId", context)
                .build();
        String id = tools.call(null, "Target.createTarget", target).getString("targetId");
        JsonObject attach = Json.createObjectBuilder()
                .add("targetId", id)
                .add("flatten", true)
                .build();
        String session = tools.call(null, "Target.attachToTarget", attach).getString("sessionId");
        return new Page(tools, session, context, user, width, scheme);
    }

    @Override
    public void close() {
        tools.close();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
