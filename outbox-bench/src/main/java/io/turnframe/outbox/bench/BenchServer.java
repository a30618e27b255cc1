package io.turnframe.outbox.bench;

import com.github.f4b6a3.uuid.UuidCreator;
import com.github.kagkarlsson.scheduler.Scheduler;
import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.bench.server.BenchServlet;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
import java.util.concurrent.TimeUnit;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** A WildFly with the EAR as it was built, and the WAR of the benchmark beside it. */
final class BenchServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration LONGEST_CALL = Duration.ofMinutes(20);

    private static final long POLL_MS = 100;

    private static final String SENDER = "java:global/outbox-bench/%s!io.turnframe.outbox.OutboxSender";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Settings settings;
    private final Process script;
    private final Duration startTime;

    /**
     * @param dispatching whether the timer and the wake-up are on; off, runs are started by hand
     * @param more destinations besides, {@code more-1} and so on, which deduplicate
     */
    BenchServer(Settings settings, int databasePort, boolean dispatching, int more)
            throws IOException, InterruptedException {
        this.settings = settings;
        Path deployments = settings.wildfly().resolve("standalone/deployments");
        deploy(deployments);
        List<String> command = new ArrayList<>(List.of(
                settings.wildfly().resolve("bin/standalone.sh").toString(),
                "-Djboss.socket.binding.port-offset=" + settings.portOffset(),
                "-Doutbox.postgresql.port=" + databasePort,
                "-Doutbox.dispatch.enabled=" + dispatching,
                "-Doutbox.reconcile.enabled=false",
                "--properties=" + destinations(more)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_OPTS", "-Xms512m -Xmx512m -Djava.net.preferIPv4Stack=true");
        // The script stays above the server, as the one that is told when it has ended.
        builder.environment().put("LAUNCH_JBOSS_IN_BACKGROUND", "true");
        long begin = System.nanoTime();
        script = builder.redirectOutput(
                        settings.work().resolve("wildfly-console.log").toFile())
                .start();
        awaitOutbox();
        startTime = Duration.ofNanos(System.nanoTime() - begin);
    }

    /** Far too many for a command line. */
    private Path destinations(int more) throws IOException {
        List<String> names = new ArrayList<>(List.of("deduplicating", "marked", "slow", "stamped", "stored"));
        List<String> lines = new ArrayList<>();
        lines.addAll(destination("deduplicating", "NoopSender", true));
        lines.addAll(destination("marked", "NoopSender", false));
        lines.addAll(destination("slow", "SlowSender", true));
        lines.addAll(destination("stamped", "StampSender", false));
        for (int i = 1; i <= more; i++) {
            names.add("more-" + i);
            lines.addAll(destination("more-" + i, "NoopSender", true));
        }
        lines.add("outbox.destinations=" + String.join(",", names));
        return Files.write(settings.work().resolve("destinations.properties"), lines);
    }

    private static List<String> destination(String name, String sender, boolean deduplicates) {
        String key = "outbox.destination." + name;
        return List.of(
                key + ".sender=" + SENDER.formatted(sender),
                key + ".deduplicates=" + deduplicates,
                key + ".concurrency=256");
    }

    private void deploy(Path deployments) throws IOException {
        WebArchive war = ShrinkWrap.create(WebArchive.class, "outbox-bench.war")
                .addPackage(BenchServlet.class.getPackage())
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml")
                .addAsLibraries(jarOf(Outbox.class), jarOf(UuidCreator.class), jarOf(Scheduler.class));
        war.as(ZipExporter.class).exportTo(deployments.resolve(war.getName()).toFile(), true);
        Files.copy(settings.ear(), deployments.resolve("outbox.ear"), StandardCopyOption.REPLACE_EXISTING);
        for (String archive : List.of(war.getName(), "outbox.ear")) {
            Files.deleteIfExists(deployments.resolve(archive + ".failed"));
            Files.write(deployments.resolve(archive + ".dodeploy"), new byte[0]);
        }
    }

    private static File jarOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private void awaitOutbox() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answers()) {
            if (!script.isAlive() || System.nanoTime() - end > 0) {
                close();
                throw new IllegalStateException(
                        "the server did not start; see " + settings.wildfly() + "/standalone/log");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            return http.send(outbox("/stats").build(), BodyHandlers.discarding())
                                    .statusCode()
                            == 200
                    && http.send(request("/outbox-bench/measure/").build(), BodyHandlers.discarding())
                                    .statusCode()
                            != 404;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** From the start of the process until the outbox answered. */
    Duration startTime() {
        return startTime;
    }

    /** Orders a measurement inside the server. */
    JsonObject measure(String what) throws IOException, InterruptedException {
        return json(http.send(
                request("/outbox-bench/measure/" + what)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString()));
    }

    /**
     * Starts a run of the dispatch job as an operator does.
     *
     * @return its execution id
     */
    long dispatch(int batch, int concurrency, int partitions) throws IOException, InterruptedException {
        String body = Json.createObjectBuilder()
                .add("batch_size", batch)
                .add("concurrency", concurrency)
                .add("partitions", partitions)
                .build()
                .toString();
        return json(http.send(
                        outbox("/dispatch")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString()))
                .getInt("execution_id");
    }

    void hold(String destination, boolean held) throws IOException, InterruptedException {
        json(http.send(
                outbox("/destinations/" + destination)
                        .PUT(HttpRequest.BodyPublishers.ofString("{\"held\":" + held + "}"))
                        .build(),
                BodyHandlers.ofString()));
    }

    void stop(long execution) throws IOException, InterruptedException {
        json(http.send(
                outbox("/jobs/" + execution + "/stop")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString()));
    }

    /** Waits for the end of a run; answers its seconds, by the job repository. */
    double awaitEnd(long execution) throws IOException, InterruptedException {
        while (true) {
            JsonObject run = json(http.send(outbox("/jobs/" + execution).build(), BodyHandlers.ofString()));
            if (run.containsKey("ended_at")) {
                if (run.getString("status").equals("FAILED")) {
                    throw new IllegalStateException("execution " + execution + " failed; see the server's log");
                }
                Duration took = Duration.between(
                        Instant.parse(run.getString("created_at")), Instant.parse(run.getString("ended_at")));
                return took.toNanos() / 1e9;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    /** How many executions of our jobs the repository has since then. */
    long executionsSince(Instant begin) throws IOException, InterruptedException {
        return json(http.send(outbox("/jobs?limit=500").build(), BodyHandlers.ofString())).getJsonArray("jobs").stream()
                .filter(job -> Instant.parse(job.asJsonObject().getString("created_at"))
                        .isAfter(begin))
                .count();
    }

    private HttpRequest.Builder outbox(String path) {
        String operator = "operator:" + settings.password();
        return request("/outbox/api" + path)
                .header("Content-Type", "application/json")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(StandardCharsets.UTF_8)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + (8080 + settings.portOffset()) + path))
                .timeout(LONGEST_CALL);
    }

    private static JsonObject json(HttpResponse<String> response) {
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(response + " says " + response.body());
        }
        try (JsonReader reader = Json.createReader(new StringReader(response.body()))) {
            return reader.readObject();
        }
    }

    @Override
    public void close() {
        script.descendants().forEach(ProcessHandle::destroy);
        try {
            if (!script.waitFor(1, TimeUnit.MINUTES)) {
                script.descendants().forEach(ProcessHandle::destroyForcibly);
            }
        } catch (InterruptedException interrupted) {
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
