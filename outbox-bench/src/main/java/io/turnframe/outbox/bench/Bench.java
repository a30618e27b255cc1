package io.turnframe.outbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs the chosen cases, one after the other; each compares its contenders round by round. */
public final class Bench {
    /** What can be chosen. */
    static final Set<String> CASES = Set.of("drain", "enqueue", "slow", "latency", "backlog", "memory");

    private Bench() {}

    /** Takes its settings from the system properties; the results go to {@code results} in the work directory. */
    public static void main(String[] arguments) throws Exception {
        Settings settings = Settings.ofSystem();
        try (BenchDatabase database = new BenchDatabase(settings.work())) {
            Report report = new Report(environment(settings, database));
            System.out.println(report.markdown());
            try {
                measure(settings, database, report);
            } finally {
                // What was measured before something failed is not lost.
                report.write(settings.work().resolve("results"));
            }
            System.out.println(report.markdown());
        }
    }

    private static void measure(Settings settings, BenchDatabase database, Report report) throws Exception {
        try (BenchServer server = new BenchServer(settings, database.port(), false, 0)) {
            double start = server.startTime().toMillis() / 1e3;
            report.add(List.of(new Line(
                    "Start", "from the process to the first answer", Cases.OURS, "s", new Samples(List.of(start)))));
            Throughput throughput = new Throughput(settings, database, server);
            if (settings.cases().contains("drain")) {
                report.add(throughput.drain());
            }
            if (settings.cases().contains("slow")) {
                report.add(throughput.slow());
            }
            if (settings.cases().contains("enqueue")) {
                report.add(throughput.enqueue());
            }
            if (settings.cases().contains("backlog")) {
                Backlogs backlogs = new Backlogs(settings, database, server);
                report.add(backlogs.run());
                report.plan(backlogs.plan(10_000));
            }
            if (settings.cases().contains("memory")) {
                report.add(new Memory(database, server).run());
            }
        }
        if (settings.cases().contains("backlog")) {
            try (BenchServer server = new BenchServer(settings, database.port(), false, Backlogs.DESTINATIONS)) {
                report.add(new Backlogs(settings, database, server).runOfMany());
            }
        }
        if (settings.cases().contains("latency")) {
            try (BenchServer server = new BenchServer(settings, database.port(), true, 0)) {
                report.add(new Latencies(settings, database, server).run());
            }
        }
    }

    private static Map<String, String> environment(Settings settings, BenchDatabase database)
            throws IOException, SQLException {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("when", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        environment.put(
                "machine",
                Runtime.getRuntime().availableProcessors() + " × " + processor() + ", " + System.getProperty("os.name")
                        + " " + System.getProperty("os.version"));
        environment.put("load before", firstWord("/proc/loadavg"));
        environment.put("Java", System.getProperty("java.runtime.version"));
        environment.put("server", settings.wildfly().getFileName() + ", heap 512 MB");
        environment.put("rows of a drain", Integer.toString(settings.rows()));
        environment.put("rounds", Integer.toString(settings.rounds()));
        database.settings().forEach((name, value) -> environment.put("PostgreSQL " + name, value));
        return environment;
    }

    private static String processor() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("processor");
        }
    }

    private static String firstWord(String file) throws IOException {
        return Files.readString(Path.of(file)).split(" ")[0];
    }
}
