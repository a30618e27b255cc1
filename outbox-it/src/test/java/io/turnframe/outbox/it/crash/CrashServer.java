package io.turnframe.outbox.it.crash;

import io.turnframe.outbox.it.harness.TestServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A WildFly that can be killed, on the ports of the test's node: its process, its outbox through the admin resource. */
final class CrashServer {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final Path home = Path.of(System.getProperty("it.server.home"));
    private final Path base = Path.of(System.getProperty("it.server.base") + "-crash");
    private final Path armed = base.resolve("armed");
    private final List<String> options;

    private Process process;

    /** @param options of the server, {@code -D…} */
    CrashServer(List<String> options) throws IOException {
        this.options = options;
        Files.createDirectories(armed);
        Files.copy(
                Path.of(System.getProperty("it.ear")),
                base.resolve("deployments/outbox.ear"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    Path base() {
        return base;
    }

    /** Applies a script of {@code jboss-cli.sh} while the server is down. */
    void configure(Path script) throws IOException, InterruptedException {
        ProcessBuilder cli = new ProcessBuilder(home.resolve("bin/jboss-cli.sh").toString(), "--file=" + script);
        cli.environment().put("JAVA_OPTS", "-Djboss.server.base.dir=" + base);
        Process run = cli.redirectErrorStream(true).redirectOutput(log("cli")).start();
        if (run.waitFor() != 0) {
            throw new IllegalStateException(script + " failed; see " + log("cli"));
        }
    }

    /** Starts the server with nothing armed, and waits until the outbox answers. */
    void start(Path rules) throws IOException {
        disarm();
        String byteman = System.getProperty("it.byteman");
        List<String> command = new ArrayList<>(List.of(
                home.resolve("bin/standalone.sh").toString(),
                "-Djboss.server.base.dir=" + base,
                "-Djboss.tx.node.id=crash",
                "-Djboss.socket.binding.port-offset=" + System.getProperty("it.node.port-offset"),
                "-Doutbox.crash.armed=" + armed));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .put(
                        "JAVA_OPTS",
                        "-Xmx512m -Djava.net.preferIPv4Stack=true -Djboss.modules.system.pkgs=org.jboss.byteman"
                                + " -javaagent:" + byteman + "=script:" + rules + ",boot:" + byteman);
        // The script stays above the server, as the one that is told when it has died.
        builder.environment().put("LAUNCH_JBOSS_IN_BACKGROUND", "true");
        process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log("console")))
                .start();
        Awaitility.await("the outbox answers; see " + log("console"))
                .atMost(PATIENCE)
                .failFast("the server has died", () -> !process.isAlive())
                .until(this::answers);
    }

    /** SIGKILL. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** Waits until the server has died, however it came to that. */
    void awaitDeath() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(
                    "the server lives on: a rule of points.btm may not fit the code; see " + log("console"));
        }
    }

    /** From now on the server dies when it comes to this point. */
    void arm(CrashPoint point) throws IOException {
        Files.writeString(armed.resolve(point.name()), "");
    }

    private void disarm() throws IOException {
        for (CrashPoint point : CrashPoint.values()) {
            Files.deleteIfExists(armed.resolve(point.name()));
        }
    }

    /** Enqueues an entry that comes due then. */
    UUID enqueue(String destination, String key, Instant due) throws IOException, InterruptedException {
        String entry = Json.createObjectBuilder()
                .add("destination", destination)
                .add("idempotency_key", key)
                .add("payload", Json.createObjectBuilder().add("key", key))
                .add("next_attempt_at", due.toString())
                .build()
                .toString();
        HttpResponse<String> response = http.send(
                request("/entries").POST(BodyPublishers.ofString(entry)).build(), BodyHandlers.ofString());
        return UUID.fromString(json(response, 201).getJsonObject("entry").getString("outbox_id"));
    }

    String status(UUID outboxId) throws IOException, InterruptedException {
        HttpResponse<String> response =
                http.send(request("/entries/" + outboxId).build(), BodyHandlers.ofString());
        return json(response, 200).getJsonObject("entry").getString("status");
    }

    private boolean answers() throws InterruptedException {
        try {
            return http.send(request("/entries?limit=1").build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private HttpRequest.Builder request(String path) {
        String operator = "operator:" + System.getProperty("it.operator.password");
        return HttpRequest.newBuilder(URI.create(TestServer.node().url("/outbox/api" + path)))
                .header("Content-Type", "application/json")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(StandardCharsets.UTF_8)));
    }

    private static JsonObject json(HttpResponse<String> response, int expected) {
        if (response.statusCode() != expected) {
            throw new AssertionError(response + " says " + response.body());
        }
        return Json.createReader(new StringReader(response.body())).readObject();
    }

    private File log(String name) {
        try {
            return Files.createDirectories(base.resolve("log"))
                    .resolve(name + ".log")
                    .toFile();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Kills it if it runs. */
    void end() throws InterruptedException {
        if (process != null) {
            kill();
            awaitDeath();
        }
    }
}
