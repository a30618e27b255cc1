package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A WildFly with the EAR as it was built, as a process of its own: what Arquillian cannot do, it can be killed, terminated
 * and frozen. Several may run side by side.
 */
public final class ServerProcess {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final String name;
    private final int offset;
    private final Path home = Path.of(System.getProperty("it.server.home"));
    private final Path base;
    private final List<String> options;

    private Process script;

    private ServerProcess(String database, String name, int offset, List<String> options) {
        this.name = name;
        this.offset = Integer.getInteger("it.node.port-offset") + offset;
        this.base = Path.of(System.getProperty("it.server.bases") + "-" + database + "-" + name);
        this.options = options;
        Tool.replace(Path.of(System.getProperty("it.server.bases") + "-" + database + "-process"), base);
        Tool.copy(Path.of(System.getProperty("it.ear")), base.resolve("deployments/outbox.ear"));
    }

    /**
     * With H2 inside.
     *
     * @param name its node identifier, and part of the name of its directory
     * @param offset added to the ports of the test's node
     * @param options of the server, {@code -D…}
     */
    public static ServerProcess onH2(String name, int offset, List<String> options) {
        return new ServerProcess("h2", name, offset, options);
    }

    /**
     * With the PostgreSQL of the tests.
     *
     * @param database one of {@link PostgreSql}'s
     * @param name its node identifier, and part of the name of its directory
     * @param offset added to the ports of the test's node
     * @param options of the server, {@code -D…}; those that say where the database is are known
     */
    public static ServerProcess onPostgreSql(String database, String name, int offset, List<String> options) {
        List<String> all = new ArrayList<>(
                Arrays.asList(System.getProperty("it.server.options").split(" ")));
        all.add("-Doutbox.postgresql.database=" + database);
        all.addAll(options);
        return new ServerProcess("postgresql", name, offset, all);
    }

    /** A connection to a database of the PostgreSQL of the tests. */
    public static Connection postgreSql(String database) throws SQLException {
        return DriverManager.getConnection(System.getProperty("it.database.url").formatted(database));
    }

    /** Where its directories are: configuration, data, logs. */
    public Path base() {
        return base;
    }

    /** Applies a script of {@code jboss-cli.sh} while it is down. */
    public void configure(Path script) {
        Tool.run(
                Map.of("JAVA_OPTS", "-Djboss.server.base.dir=" + base),
                List.of(home.resolve("bin/jboss-cli.sh").toString(), "--file=" + script));
    }

    /** Starts it under rules of Byteman, and waits until the outbox answers. */
    public void startWith(Path rules, String... javaOptions) {
        String byteman = System.getProperty("it.byteman");
        List<String> all = new ArrayList<>(List.of(javaOptions));
        all.add("-Djboss.modules.system.pkgs=org.jboss.byteman");
        all.add("-javaagent:" + byteman + "=script:" + rules + ",boot:" + byteman);
        start(all.toArray(String[]::new));
    }

    /** Starts it and waits until the outbox answers. */
    public void start(String... javaOptions) {
        List<String> command = new ArrayList<>(List.of(
                home.resolve("bin/standalone.sh").toString(),
                "-Djboss.server.base.dir=" + base,
                "-Djboss.node.name=" + name,
                "-Djboss.tx.node.id=" + name,
                "-Djboss.socket.binding.port-offset=" + offset));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .put("JAVA_OPTS", "-Xmx384m -Djava.net.preferIPv4Stack=true " + String.join(" ", javaOptions));
        // The script stays above the server, as the one that is told when it has ended.
        builder.environment().put("LAUNCH_JBOSS_IN_BACKGROUND", "true");
        try {
            script = builder.redirectOutput(ProcessBuilder.Redirect.appendTo(
                            base.resolve("console.log").toFile()))
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        awaitOutbox();
    }

    /** Waits until the outbox answers. */
    public void awaitOutbox() {
        Awaitility.await("the outbox answers; see " + base.resolve("console.log"))
                .atMost(PATIENCE)
                .failFast("the server has ended", () -> !script.isAlive())
                .until(this::answers);
    }

    private boolean answers() throws InterruptedException {
        try {
            return http.send(request("/stats").build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** SIGKILL; waits until it has died. */
    public void kill() {
        server().destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM; waits until it has ended. */
    public void terminate() {
        server().destroy();
        awaitEnd();
    }

    /** SIGSTOP. */
    public void freeze() {
        signal("-STOP");
    }

    /** SIGCONT. */
    public void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        Tool.run(List.of("kill", signal, Long.toString(server().pid())));
    }

    /** Ends it, also if it is frozen or does not run. */
    public void end() {
        if (script != null && script.isAlive()) {
            Metrics.keep(base.getFileName().toString(), "http://localhost:" + (8080 + offset) + "/outbox/api");
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            awaitEnd();
        }
    }

    private ProcessHandle server() {
        return script.children().findFirst().orElseThrow();
    }

    /** Waits until it has ended, however it came to that. */
    public void awaitEnd() {
        try {
            if (!script.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the server lives on; see " + base.resolve("console.log"));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Runs operations of {@code jboss-cli.sh} on the running server. */
    public void cli(String... operations) {
        WildFly.cli(9990 + offset, Tool.script(name + ".cli", List.of(operations)));
    }

    /** Every line logged so far, over all its lives of today. */
    public List<String> logged() {
        try {
            return Files.readAllLines(base.resolve("log/server.log"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** {@code POST} to the outbox's resource, as an operator; answers the body. */
    public String post(String path, String body) {
        return ask(request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    /** {@code PUT} to the outbox's resource, as an operator; answers the body. */
    public String put(String path, String body) {
        return ask(request(path).PUT(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    /** {@code GET} from the outbox's resource, as an operator; answers the body. */
    public String get(String path) {
        return ask(request(path).build());
    }

    /** {@code GET} from another deployment of the server; answers the body. */
    public String fetch(String path) {
        return ask(HttpRequest.newBuilder(URI.create("http://localhost:" + (8080 + offset) + path))
                .timeout(Duration.ofSeconds(60))
                .build());
    }

    private String ask(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new AssertionError(response + " says " + response.body());
            }
            return response.body();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private HttpRequest.Builder request(String path) {
        String operator = "operator:" + System.getProperty("it.operator.password");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + (8080 + offset) + "/outbox/api" + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(StandardCharsets.UTF_8)));
    }
}
