package io.turnframe.outbox.web;

import io.turnframe.outbox.store.OutboxFilter;
import io.turnframe.outbox.store.OutboxPage;
import io.turnframe.outbox.store.OutboxPosition;
import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.OutboxSummary;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How exported entries are written: in UTF-8, each in a line of its own. */
enum ExportFormat {
    /** RFC 4180: a line of names, then every value in quotes; what is absent is an empty one. */
    CSV("csv", ExportFormat.CSV_TYPE, ExportFormat::csv) {
        @Override
        String head() {
            return "outbox_id,command_id,destination,idempotency_key,status,attempt_count,created_at,next_attempt_at,"
                    + "completed_at,last_failure,remote_ref\r\n";
        }
    },
    /** A record in JSON on each line. */
    JSON_LINES("jsonl", ExportFormat.JSON_LINES_TYPE, ExportFormat::json);

    static final String CSV_TYPE = "text/csv;charset=UTF-8";
    static final String JSON_LINES_TYPE = "application/x-ndjson";

    private final String label;
    private final String mediaType;
    private final Function<OutboxSummary, String> line;

    ExportFormat(String label, String mediaType, Function<OutboxSummary, String> line) {
        this.label = label;
        this.mediaType = mediaType;
        this.line = line;
    }

    /** CSV for null. */
    static ExportFormat ofLabel(String label) {
        return label == null
                ? CSV
                : Arrays.stream(values())
                        .filter(format -> format.label.equals(label))
                        .findFirst()
                        .orElseThrow(() -> AdminException.invalidParameter("format", "format is none of csv, jsonl"));
    }

    String label() {
        return label;
    }

    String mediaType() {
        return mediaType;
    }

    /** What stands before the first entry. */
    String head() {
        return "";
    }

    /** Page by page, so that no more than one is in memory. */
    void write(OutboxQueries queries, OutboxFilter filter, OutputStream target) throws IOException {
        Writer text = new OutputStreamWriter(target, StandardCharsets.UTF_8);
        text.write(head());
        OutboxPosition after = null;
        do {
            OutboxPage page = queries.page(filter, after, OutboxQueries.MAX_LIMIT);
            for (OutboxSummary entry : page.entries()) {
                text.write(line.apply(entry));
            }
            after = page.next();
        } while (after != null);
        text.flush();
    }

    private static String csv(OutboxSummary entry) {
        return Stream.of(
                        entry.outboxId(),
                        entry.commandId(),
                        entry.destination(),
                        entry.idempotencyKey(),
                        entry.status().label(),
                        entry.attemptCount(),
                        entry.createdAt(),
                        orEmpty(entry.nextAttemptAt()),
                        orEmpty(entry.completedAt()),
                        orEmpty(entry.lastFailure()),
                        orEmpty(entry.remoteRef()))
                .map(value -> '"' + value.toString().replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    private static Object orEmpty(Object value) {
        return value == null ? "" : value;
    }

    private static String json(OutboxSummary entry) {
        return OutboxJson.JSONB.toJson(RecordView.of(entry)) + "\n";
    }
}
