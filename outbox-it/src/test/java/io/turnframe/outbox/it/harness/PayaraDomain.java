package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A domain of Payara's, through {@code asadmin}: made by the build, set up here when it first starts, since only then its
 * ports and its database are known.
 */
final class PayaraDomain {
    private static final String NAME = "outbox";

    /** The build makes the domain with a port base that nothing uses. Its ports are the base and two digits. */
    private static final Pattern PORT_AS_BUILT = Pattern.compile("\\b607(\\d\\d)\\b");

    private final Path home = Path.of(System.getProperty("it.server.home"));
    private final Path domains;
    private final int portBase;
    private final String managementPort;
    private Thread atExit;

    PayaraDomain(String container) {
        String base = System.getProperty("it.server.base");
        domains = Path.of(container.equals("server") ? base : base + "-" + container);
        portBase = Payara.PORT_BASE + Integer.getInteger("it." + container + ".port-offset");
        managementPort = System.getProperty("it." + container + ".management-port");
    }

    /**
     * Starts it; at the first time sets it up too. Applications that it has already may still be on their way.
     *
     * @param properties the server's system properties
     */
    void start(Map<String, String> properties) {
        boolean isNew = takePorts();
        forgetProcess();
        atExit = new Thread(this::kill);
        Runtime.getRuntime().addShutdownHook(atExit);
        domain("start-domain");
        if (isNew) {
            setUp(properties);
        }
    }

    void stop() {
        try {
            domain("stop-domain");
        } finally {
            kill();
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
    }

    /** Runs one command of the running domain; answers what it printed. */
    String run(String... command) {
        List<String> arguments = new ArrayList<>(List.of("--port", managementPort));
        arguments.addAll(List.of(command));
        return asadmin(arguments);
    }

    /** Runs commands one after another; fails at the end if one of them failed. */
    void runAll(List<String> commands) {
        Path passwords = Tool.script(
                "passwords", List.of("AS_ADMIN_USERPASSWORD=" + System.getProperty("it.operator.password")));
        Path script = Tool.script(domains.getFileName() + ".asadmin", commands);
        run("--passwordfile", passwords.toString(), "multimode", "--file", script.toString());
    }

    void setProperties(Map<String, String> properties) {
        run(
                "create-system-properties",
                properties.entrySet().stream()
                        .map(property ->
                                property.getKey() + "=" + property.getValue().replaceAll("[\\\\:=]", "\\\\$0"))
                        .collect(Collectors.joining(":")));
    }

    /** Every line logged so far. */
    List<String> logged() {
        List<String> lines = new ArrayList<>();
        try {
            for (Path log : logs()) {
                lines.addAll(Files.readAllLines(log));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return lines;
    }

    private List<Path> logs() throws IOException {
        Path directory = domains.resolve(NAME).resolve("logs");
        if (!Files.exists(directory)) {
            return List.of(); // It has never been started.
        }
        // Rotated ones have their time behind the name; the present one comes last.
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("server.log"))
                    .sorted(Comparator.comparing((Path file) -> file.endsWith("server.log"))
                            .thenComparing(Path::getFileName))
                    .toList();
        }
    }

    /** Gives a new domain its ports; answers whether it was new. */
    private boolean takePorts() {
        Path configuration = domains.resolve(NAME).resolve("config").resolve("domain.xml");
        try {
            String built = Files.readString(configuration);
            String mine = PORT_AS_BUILT
                    .matcher(built)
                    .replaceAll(port -> Integer.toString(portBase + Integer.parseInt(port.group(1))));
            Files.writeString(configuration, mine);
            return !mine.equals(built);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void setUp(Map<String, String> properties) {
        setProperties(properties);
        List<String> commands = new ArrayList<>();
        commands.add(
                "create-file-user" + " --groups outbox-viewer:outbox-operator:outbox-payload:outbox-enqueuer operator");
        try {
            commands.addAll(Files.readAllLines(Path.of(System.getProperty("it.server.script"))));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        runAll(commands);
    }

    /** Else {@link #kill} could meet a later process of the same number. */
    private void forgetProcess() {
        try {
            Files.deleteIfExists(pid());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Ends the process if it still runs, whatever became of the rest. */
    private void kill() {
        try {
            if (Files.exists(pid())) {
                ProcessHandle.of(Long.parseLong(Files.readString(pid()).strip()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Path pid() {
        return domains.resolve(NAME).resolve("config").resolve("pid");
    }

    private void domain(String command) {
        asadmin(List.of(command, "--domaindir", domains.toString(), NAME));
    }

    private String asadmin(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin").resolve("asadmin").toString());
        command.addAll(arguments);
        return Tool.run(command);
    }
}
