package io.turnframe.outbox.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What is measured, and where: the system properties {@code bench.…}.
 *
 * @param cases of {@link Bench#CASES}
 * @param contenders of {@link Cases#CONTENDERS}
 * @param warmUps rounds before those that count: a server that has just started compiles what it does often
 * @param rounds that count
 * @param rows of one drain; others are scaled by it
 * @param batches rows of a claim, in drains
 * @param partitions of an execution, in drains
 * @param concurrencies sends in flight, in drains with a slow sender
 * @param backlogs rows that wait while claims are timed
 * @param seconds of one measurement that has a length of its own
 * @param portOffset added to the server's ports
 * @param password of the operator
 * @param wildfly where the server is, with its data sources
 * @param ear the EAR
 * @param work a directory for the database and the results
 */
record Settings(
        Set<String> cases,
        Set<String> contenders,
        int warmUps,
        int rounds,
        int rows,
        List<Integer> batches,
        List<Integer> partitions,
        List<Integer> concurrencies,
        List<Integer> backlogs,
        int seconds,
        int portOffset,
        String password,
        Path wildfly,
        Path ear,
        Path work) {
    static Settings ofSystem() {
        return new Settings(
                Set.of(text("bench.cases").split(",")),
                Set.of(text("bench.contenders").split(",")),
                number("bench.warm-ups"),
                number("bench.rounds"),
                number("bench.rows"),
                numbers("bench.batches"),
                numbers("bench.partitions"),
                numbers("bench.concurrencies"),
                numbers("bench.backlogs"),
                number("bench.seconds"),
                number("bench.port-offset"),
                text("bench.password"),
                Path.of(text("bench.wildfly")),
                Path.of(text("bench.ear")),
                Path.of(text("bench.work")));
    }

    Settings {
        if (!Bench.CASES.containsAll(cases)) {
            throw new IllegalArgumentException("bench.cases is " + cases + "; write some of " + Bench.CASES);
        }
        if (!Cases.CONTENDERS.containsAll(contenders)) {
            throw new IllegalArgumentException(
                    "bench.contenders is " + contenders + "; write some of " + Cases.CONTENDERS);
        }
        if (warmUps < 0 || rounds < 1 || rows < 1_000 || seconds < 1) {
            throw new IllegalArgumentException(
                    "bench.rounds and bench.seconds must be 1 or more, bench.rows 1000 or more, bench.warm-ups not negative");
        }
    }

    private static String text(String key) {
        String value = System.getProperty(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(key + " is not set; start the benchmark as docs/performance.md says");
        }
        return value.strip();
    }

    private static int number(String key) {
        return number(key, text(key));
    }

    private static List<Integer> numbers(String key) {
        return Arrays.stream(text(key).split(",")).map(one -> number(key, one)).toList();
    }

    private static int number(String key, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException bad) {
            throw new IllegalArgumentException(key + " has '" + value + "'; write whole numbers", bad);
        }
    }
}
