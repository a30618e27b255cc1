package io.turnframe.outbox.batch.http.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table of {@code docs/senders.md} that says what becomes of each behaviour. */
public final class BehaviourTable {
    /** As seen from a module. */
    private static final Path DOCUMENT = Path.of("../docs/senders.md");

    private static final String HEADING = "### What remotes do, and what becomes of it";

    private BehaviourTable() {}

    /** By the words for the behaviour, the answers that it may have, as {@code completed} or {@code permanent `code`}. */
    public static Map<String, List<String>> read() throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("#")) {
                inTable = line.equals(HEADING);
            } else if (inTable && line.startsWith("| ")) {
                String[] cells = line.split(" \\| |^\\| | \\|$");
                rows.put(cells[1], List.of(cells[2].split(", or ")));
            }
        }
        rows.remove("the remote");
        return rows;
    }
}
