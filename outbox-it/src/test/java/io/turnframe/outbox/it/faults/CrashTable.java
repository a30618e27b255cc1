package io.turnframe.outbox.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What was seen, as the table of {@code docs/reliability.md}. */
final class CrashTable {
    private static final List<String> HEAD = List.of(
            "| the server dies | deduplicates | the crash leaves | the row becomes | requests at the remote | test |",
            "|---|---|---|---|---|---|");

    private final List<String> lines = new ArrayList<>(HEAD);
    private final String database;

    /** @param database its name */
    CrashTable(String database) {
        this.database = database;
    }

    String database() {
        return database;
    }

    /** Adds a line and answers it. */
    String add(CrashPoint point, boolean deduplicates, String left, String becomes, int requests) {
        String line = "| " + point.text() + " | " + (deduplicates ? "yes" : "no") + " | " + left + " | " + becomes
                + " | " + requests + " | `CrashPointsContract`, `" + point + "` |";
        lines.add(line);
        return line;
    }

    void write() throws IOException {
        Files.write(Path.of(System.getProperty("it.work"), "reliability-" + database + ".md"), lines);
    }

    /** The lines of the table that is committed, without its head. */
    static List<String> committed() throws IOException {
        List<String> document = Files.readAllLines(Path.of(System.getProperty("it.work"), "../../docs/reliability.md"));
        int head = document.indexOf(HEAD.get(0));
        if (head < 0 || !document.get(head + 1).equals(HEAD.get(1))) {
            throw new AssertionError("docs/reliability.md does not have the table whose head is " + HEAD);
        }
        return document.stream()
                .skip(head + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }
}
