package io.turnframe.outbox.it.harness;

import java.util.List;

/** A database for one run of the tests. */
interface TestDatabase extends AutoCloseable {
    /** The options that tell the server where it is, in the words of {@code servers/}. */
    List<String> serverOptions();

    /** Its name and version. */
    String description();

    @Override
    void close();

    /** Starts the one that is called so. */
    static TestDatabase start(String name) {
        return switch (name) {
            case "h2" -> new H2();
            case "postgresql" -> PostgreSql.start();
            case "mariadb" -> MariaDb.start();
            default ->
                throw new IllegalArgumentException("it.database is " + name + " but must be h2, postgresql or mariadb");
        };
    }

    /** Inside the server, a file in its data directory: nothing to start. */
    record H2() implements TestDatabase {
        @Override
        public List<String> serverOptions() {
            return List.of();
        }

        @Override
        public String description() {
            return "H2 of the server";
        }

        @Override
        public void close() {}
    }
}
