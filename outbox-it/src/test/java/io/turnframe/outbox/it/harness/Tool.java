package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs an operators' tool of a server, as a process of its own. */
final class Tool {
    private Tool() {}

    /**
     * Runs it to its end; answers what it printed.
     *
     * @throws IllegalStateException with what it printed, if it failed
     */
    static String run(List<String> command) {
        return run(Map.of(), command);
    }

    /** The same, with more in its environment. */
    static String run(Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        // Payara's tools look for a Java of their own.
        builder.environment().put("AS_JAVA", System.getProperty("java.home"));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
            }
            return output;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** A file with these lines under the build's directory, for a tool that reads its commands from one. */
    static Path script(String name, List<String> lines) {
        try {
            return Files.write(directory("scripts").resolve(name), lines);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Copies a directory, over whatever is there. */
    static void replace(Path from, Path to) {
        TestDatabase.deleteAll(to);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static void copy(Path from, Path to) {
        try {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A directory under the build's. */
    static Path directory(String name) {
        try {
            return Files.createDirectories(Path.of(System.getProperty("it.work"), name));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
