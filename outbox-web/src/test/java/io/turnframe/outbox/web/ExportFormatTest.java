package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.AuditPage;
import io.turnframe.outbox.store.OutboxFilter;
import io.turnframe.outbox.store.OutboxPage;
import io.turnframe.outbox.store.OutboxPosition;
import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.OutboxStats;
import io.turnframe.outbox.store.OutboxSummary;
import io.turnframe.outbox.store.RecordStory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ExportFormatTest {
    private static final UUID ID = UUID.fromString("0199c0de-0000-7000-8000-000000000001");
    private static final Instant AT = Instant.parse("2026-11-30T08:15:00Z");

    @Test
    void writesCommaSeparatedValuesPageByPage() throws IOException {
        assertThat(written(ExportFormat.ofLabel(null)))
                .isEqualTo("outbox_id,command_id,destination,idempotency_key,status,attempt_count,created_at,"
                        + "next_attempt_at,completed_at,last_failure,remote_ref\r\n"
                        + line("a \"b\", é", "a \"\"b\"\", é")
                        + line("c", "c"));
    }

    @Test
    void writesJsonLinesWithoutPayloads() throws IOException {
        assertThat(written(ExportFormat.ofLabel("jsonl")).lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).startsWith("{\"entry\":{").endsWith("}"))
                .noneMatch(line -> line.contains("payload"));
    }

    @Test
    void refusesAnyOtherFormat() {
        assertThatThrownBy(() -> ExportFormat.ofLabel("xml")).hasMessage("format is none of csv, jsonl");
    }

    private static String line(String key, String written) {
        OutboxSummary entry = entry(key);
        return "\"" + ID + "\",\"" + ID + "\",\"airline\",\"" + written + "\",\""
                + entry.status().label() + "\",\"2\",\"2026-11-30T08:15:00Z\",\"\",\"\",\"\",\"PNR\"\r\n";
    }

    private static String written(ExportFormat format) throws IOException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        format.write(new TwoPages(), OutboxFilter.ALL, target);
        return target.toString(StandardCharsets.UTF_8);
    }

    private static OutboxSummary entry(String key) {
        return new OutboxSummary(
                ID, ID, "airline", key, OutboxStatus.OUTCOME_UNKNOWN, 2, null, AT, null, null, null, null, "PNR", null);
    }

    private static final class TwoPages implements OutboxQueries {
        @Override
        public OutboxPage page(OutboxFilter filter, OutboxPosition after, int limit) {
            return after == null
                    ? new OutboxPage(List.of(entry("a \"b\", é")), new OutboxPosition(AT, ID))
                    : new OutboxPage(List.of(entry("c")), null);
        }

        @Override
        public OutboxSummary get(UUID outboxId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RecordStory story(UUID outboxId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AuditPage audit(OutboxPosition after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<OutboxSummary> listForCommand(UUID commandId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OutboxStats stats() {
            throw new UnsupportedOperationException();
        }
    }
}
