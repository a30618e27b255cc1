package io.turnframe.outbox.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When all server tests have run: {@link Marker} stands in no log of theirs, and in no metrics. */
class LeakCheck {
    private static final Path WORK = Path.of(System.getProperty("it.work"));

    /** Of WildFly, of Payara, and what the tests have kept. */
    private static final List<String> FOLDERS = List.of("log", "logs", Metrics.FOLDER);

    @Test
    void nothingSecretIsInTheLogsAndMetricsOfTheRun() throws IOException {
        List<Path> files = files();
        assertThat(files).as("logs of servers under " + WORK).isNotEmpty();
        for (Path file : files) {
            // In the bytes as they are: a log may hold what is no text.
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            assertThat(!isMetrics(file) || text.contains("outbox_"))
                    .as("%s holds metrics of the outbox", file)
                    .isTrue();
            assertThat(text.lines())
                    .as("lines of " + file + " with what stands in payloads, keys and credentials")
                    .filteredOn(line -> line.contains(Marker.TEXT))
                    .isEmpty();
        }
        long metrics = files.stream().filter(LeakCheck::isMetrics).count();
        System.out.println(
                (files.size() - metrics) + " logs and the metrics of " + metrics + " classes without the marker");
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(WORK)) {
            return files.filter(Files::isRegularFile)
                    .filter(LeakCheck::isForPeople)
                    .toList();
        }
    }

    private static boolean isMetrics(Path file) {
        return file.getParent().endsWith(Metrics.FOLDER);
    }

    private static boolean isForPeople(Path file) {
        Path folder = WORK.relativize(file).getParent();
        return file.endsWith("console.log")
                || Stream.iterate(folder, path -> path != null, Path::getParent)
                        .anyMatch(path -> FOLDERS.contains(path.getFileName().toString()));
    }
}
