package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** WildFly, through {@code jboss-cli.sh}. */
final class WildFly extends TestServer {
    static final Ports PORTS = new Ports(8080, 9990, List.of(8443));

    private static final String BATCH = "/deployment=outbox.ear/subdeployment=outbox-batch.jar/subsystem=batch-jberet";

    private static final String CONFIGURATION = "/subsystem=microprofile-config-smallrye/config-source=test";

    private static final Pattern COMPLAINT =
            Pattern.compile(" (WARN|ERROR|FATAL) +\\[io\\.turnframe\\.|^\\s+at .*\\bio\\.turnframe\\.");

    WildFly(String container) {
        super(container);
    }

    @Override
    public void setProperties(Map<String, String> properties) {
        cli(properties.entrySet().stream()
                .flatMap(property -> Stream.concat(
                        remove(property.getKey()),
                        Stream.of("/system-property=" + property.getKey() + ":add(value=\"" + property.getValue()
                                + "\")")))
                .toList());
    }

    @Override
    void removeProperties(Set<String> names) {
        cli(names.stream().flatMap(WildFly::remove).toList());
    }

    private static Stream<String> remove(String name) {
        return Stream.of(
                "if (outcome == success) of /system-property=" + name + ":read-resource",
                "/system-property=" + name + ":remove",
                "end-if");
    }

    @Override
    public void addConfiguration(Path folder) {
        cli(List.of(CONFIGURATION + ":add(dir={path=\"" + folder + "\"})"));
    }

    @Override
    public void removeConfiguration() {
        cli(List.of(CONFIGURATION + ":remove"));
    }

    @Override
    public void startDispatchJob(String... parameters) {
        startJob(
                "outbox-dispatch", parameters.length == 0 ? "" : ", properties={" + String.join(",", parameters) + "}");
    }

    @Override
    public void startPurgeJob(String completedAfter) {
        startJob("outbox-purge", ", properties={completedAfter=>" + completedAfter + "}");
    }

    @Override
    public void redeploy() {
        cli(List.of("/deployment=outbox.ear:redeploy"));
    }

    private void startJob(String job, String parameters) {
        cli(List.of(BATCH + ":start-job(job-xml-name=" + job + parameters + ")"));
    }

    @Override
    public String shows(long executionId) {
        return cli(List.of(
                BATCH + "/job=outbox-dispatch/execution=" + executionId + ":read-resource(include-runtime=true)"));
    }

    @Override
    public List<String> logged() {
        String base = System.getProperty("it.server.base");
        Path log = Path.of(container().equals("server") ? base : base + "-" + container(), "log", "server.log");
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public List<String> complaints() {
        return logged().stream().filter(COMPLAINT.asPredicate()).toList();
    }

    private String cli(List<String> operations) {
        return cli(
                Integer.getInteger("it." + container() + ".management-port"),
                Tool.script(container() + ".cli", operations));
    }

    /** Runs a script on the server that is managed at this port; answers what it printed. */
    static String cli(int port, Path script) {
        return Tool.run(List.of(
                Path.of(System.getProperty("it.server.home"), "bin", "jboss-cli.sh")
                        .toString(),
                "--connect",
                "--controller=localhost:" + port,
                "--file=" + script));
    }
}
