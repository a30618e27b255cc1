package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A database for one run of the tests. */
interface TestDatabase extends AutoCloseable {
    /** The options that tell the server where it is, in the words of {@code servers/}. */
    List<String> serverOptions();

    /** Its JDBC URL, with {@code %s} for the name of one of its databases; empty if it is inside the server. */
    String url();

    /** Its name and version. */
    String description();

    @Override
    void close();

    /** Starts the one that is called so, with nothing in it. */
    static TestDatabase start(String name) {
        deleteAll(directory(name).resolve("data"));
        return switch (name) {
            case "h2" -> new H2();
            case "postgresql" -> PostgreSql.start();
            case "mariadb" -> MariaDb.start();
            default ->
                throw new IllegalArgumentException("it.database is " + name + " but must be h2, postgresql or mariadb");
        };
    }

    /** Where a database that is called so keeps its files. */
    static Path directory(String name) {
        return Path.of(System.getProperty("it.work"), name);
    }

    /** What a killed build left: servers do not start over it, or start with it. */
    static void deleteAll(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Inside the server, a file in its data directory: nothing to start. */
    record H2() implements TestDatabase {
        @Override
        public List<String> serverOptions() {
            return List.of();
        }

        @Override
        public String url() {
            return "";
        }

        @Override
        public String description() {
            return "H2 of the server";
        }

        @Override
        public void close() {}
    }
}
