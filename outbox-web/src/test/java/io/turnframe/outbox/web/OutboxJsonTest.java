package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.DispatchReport;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.batch.JobRun;
import io.turnframe.outbox.batch.Reconciliation;
import io.turnframe.outbox.batch.metrics.LastHour;
import io.turnframe.outbox.store.AuditRecord;
import io.turnframe.outbox.store.OutboxStats;
import io.turnframe.outbox.store.OutboxSummary;
import io.turnframe.outbox.store.PastAnswer;
import io.turnframe.outbox.store.PastAttempt;
import io.turnframe.outbox.store.RecordStory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxJsonTest {
    private static final UUID OUTBOX_ID = UUID.fromString("0199c0de-0000-7000-8000-000000000001");
    private static final UUID COMMAND_ID = UUID.fromString("0199c0de-0000-4000-8000-000000000002");
    private static final String ENTRY = "{\"destination\":\"a\",\"idempotency_key\":\"k\",\"payload\":1}";
    private static final Instant CREATED_AT = Instant.parse("2026-11-30T08:15:00.123456Z");

    @Test
    void writesARecordAsTheReferenceDoes() {
        OutboxRecord stored = new OutboxRecord(
                entry("{\"seat\":\"12A\"}")
                        .status(OutboxStatus.DISPATCHING)
                        .attemptCount(2)
                        .nextAttemptAt(Instant.parse("2026-11-30T08:16:00Z"))
                        .build(),
                new OutboxClaim("node-1", Instant.parse("2026-11-30T08:16:01.5Z")),
                "airline.busy",
                "AB-1");

        assertThat(json(stored))
                .isEqualTo("{\"entry\":{\"outbox_id\":\"0199c0de-0000-7000-8000-000000000001\","
                        + "\"command_id\":\"0199c0de-0000-4000-8000-000000000002\",\"destination\":\"airline\","
                        + "\"payload\":{\"seat\":\"12A\"},\"idempotency_key\":\"k-1\",\"status\":\"dispatching\","
                        + "\"attempt_count\":2,\"next_attempt_at\":\"2026-11-30T08:16:00Z\","
                        + "\"created_at\":\"2026-11-30T08:15:00.123456Z\"},"
                        + "\"claim\":{\"worker_id\":\"node-1\",\"claimed_at\":\"2026-11-30T08:16:01.500Z\"},"
                        + "\"last_failure\":\"airline.busy\",\"remote_ref\":\"AB-1\"}");
        assertThat(OutboxJson.JSONB.fromJson(json(stored), OutboxRecord.class)).isEqualTo(stored);
    }

    @Test
    void writesAnExecutionWithItsReport() {
        JobRun going =
                new JobRun(7, "outbox-dispatch", "STARTED", null, CREATED_AT, null, new DispatchReport(10, 1, 0, 0, 0));

        assertThat(OutboxJson.JSONB.toJson(going))
                .isEqualTo("{\"created_at\":\"2026-11-30T08:15:00.123456Z\",\"execution_id\":7,"
                        + "\"job\":\"outbox-dispatch\",\"report\":{\"completed\":10,\"failed\":0,\"retried\":1,"
                        + "\"unknown\":0,\"unsettled\":0},\"status\":\"STARTED\"}");
    }

    @Test
    void leavesAbsentOptionalsOut() {
        OutboxRecord stored = new OutboxRecord(entry("null").build(), null, null, null);

        assertThat(json(stored))
                .doesNotContain("next_attempt_at", "completed_at", "claim", "last_failure", "remote_ref")
                .contains("\"payload\":null");
        assertThat(OutboxJson.JSONB.fromJson(json(stored), OutboxRecord.class)).isEqualTo(stored);
    }

    @ParameterizedTest
    @EnumSource
    void roundTripsAnEntryInEveryStatus(OutboxStatus status) {
        OutboxEntry entry = entry("[1]")
                .status(status)
                .completedAt(status.isTerminal() ? CREATED_AT.plusSeconds(9) : null)
                .build();

        assertThat(OutboxJson.JSONB.fromJson(json(entry), OutboxEntry.class)).isEqualTo(entry);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678901234567890123456789.000000000000000000000000001",
                "0.1",
                "1.0",
                "1E+400",
                "-7",
                "\"a\\\"\\u0000\\n\u00e9\ud83d\ude00\"",
                "true",
                "[]",
                "{}",
                "[[],{\"a\":[1,{\"b\":null}]},false]",
                "{\"b\":1,\"a\":2}",
                "{\"a\":1,\"a\":2}"
            })
    void carriesAPayloadWithoutLoss(String payload) {
        OutboxEntry entry = entry(payload).build();

        assertThat(json(entry)).contains("\"payload\":" + payload + ",");
        assertThat(OutboxJson.JSONB.fromJson(json(entry), OutboxEntry.class).payload())
                .isEqualTo(payload);
    }

    @Test
    void mayRewriteWhiteSpaceAndTheWayANumberIsWritten() {
        assertThat(json(entry(" { \"a\" : 1e2 } ").build())).contains("\"payload\":{\"a\":1E+2}");
    }

    @Test
    void leavesAPayloadOutThatNoParserCarries() {
        assertThat(json(entry("[".repeat(5_000) + "]".repeat(5_000)).build())).doesNotContain("payload");
        assertThat(json(entry("9".repeat(5_000)).build())).doesNotContain("payload");
        assertThat(json(entry("1e99999999999").build())).doesNotContain("payload");
    }

    @Test
    void leavesThePayloadOutForThoseWhoMayNotSeeIt() {
        OutboxRecord stored = new OutboxRecord(entry("{\"name\":\"secret\"}").build(), null, null, null);

        String seen = json(RecordView.of(OutboxSummary.of(stored)));

        assertThat(seen).doesNotContain("payload", "secret");
        assertThat(json(RecordView.of(stored))).isEqualTo(json(stored)).contains("secret");
    }

    @Test
    void writesAPage() {
        RecordView view = RecordView.of(summary());

        assertThat(json(new PageView(List.of(view, view), "next")))
                .startsWith("{\"entries\":[{\"entry\":{")
                .endsWith("],\"next_cursor\":\"next\"}");
        assertThat(json(new PageView(List.of(), null))).isEqualTo("{\"entries\":[]}");
    }

    @Test
    void writesStats() {
        OutboxStats stats = new OutboxStats(
                CREATED_AT,
                3,
                12L,
                List.of(new OutboxStats.Count("airline", OutboxStatus.OUTCOME_UNKNOWN, 4)),
                List.of(new OutboxStats.Due("airline", 3, 12)));

        assertThat(json(StatsView.of(stats, 2, Set.of("hotel"), Set.of("rail", "airline"))))
                .contains(
                        "\"due\":[{\"count\":3,\"destination\":\"airline\",\"oldest_age_seconds\":12}]",
                        "\"unknown_overdue\":2",
                        "\"unknown_without_reconciler\":4",
                        "\"failing\":[\"airline\",\"rail\"]")
                .contains("\"as_of\":\"2026-11-30T08:15:00.123456Z\"", "\"due_now\":3", "\"oldest_due_age_seconds\":12")
                .contains("\"count\":4", "\"destination\":\"airline\"", "\"status\":\"outcome_unknown\"");
        assertThat(json(StatsView.of(stats, 0, Set.of("airline"), Set.of())))
                .contains("\"unknown_without_reconciler\":0");
        OutboxStats none = new OutboxStats(CREATED_AT, 0, null, List.of(), List.of());
        assertThat(json(StatsView.of(none, 0, Set.of(), Set.of()))).doesNotContain("oldest_due_age_seconds");
    }

    @Test
    void writesTheLastHour() {
        LastHour.Minute quiet = new LastHour.Minute(CREATED_AT, 0, 0, 0, 0, 0, 0, null, null);
        LastHour.Minute busy = new LastHour.Minute(CREATED_AT, 5, 4, 3, 2, 1, 15, 21.8, 402.4);

        assertThat(json(new HistoryResource.Hour("node-1", busy, List.of(quiet))))
                .contains("\"worker_id\":\"node-1\"", "\"ms_p50\":21.8", "\"ms_p99\":402.4", "\"sends\":15")
                .contains("{\"completed\":0,\"failed\":0,\"from\":\"2026-11-30T08:15:00.123456Z\",\"retried\":0,"
                        + "\"sends\":0,\"unknown\":0,\"unsettled\":0}");
    }

    @Test
    void tellsSinceWhenAnOutcomeIsUnknown() {
        OutboxSummary unknown = new OutboxSummary(
                OUTBOX_ID,
                OUTBOX_ID,
                "airline",
                "k",
                OutboxStatus.OUTCOME_UNKNOWN,
                1,
                null,
                CREATED_AT,
                null,
                null,
                null,
                null,
                null,
                CREATED_AT);

        assertThat(json(RecordView.of(unknown))).contains("\"unknown_since\":\"2026-11-30T08:15:00.123456Z\"");
        assertThat(json(RecordView.of(summary()))).doesNotContain("unknown_since");
    }

    @Test
    void writesHowAReconciliationEnded() {
        StoryView view = new StoryView(new RecordStory(summary(), List.of(), List.of(), List.of()), null);

        assertThat(json(ReconciledView.of(new Reconciliation(Reconciled.resend(), true), view)))
                .startsWith("{\"answer\":\"resend\",\"settled\":true,\"record\":{\"entry\":{");
    }

    @Test
    void writesWhatHappenedToAnEntryBesideItsRecord() {
        AuditRecord erased = new AuditRecord(
                OUTBOX_ID,
                CREATED_AT,
                "ann",
                "erase-payload",
                OUTBOX_ID,
                1,
                "airline",
                OutboxStatus.FAILED,
                OutboxStatus.FAILED,
                null,
                null);
        PastAttempt attempt = new PastAttempt(1, false, "w", CREATED_AT, CREATED_AT, "permanent", "full", null);
        PastAnswer answer = new PastAnswer(1, 2, "w", CREATED_AT, CREATED_AT, "failed", "never", null);
        RecordStory story = new RecordStory(summary(), List.of(attempt), List.of(answer), List.of(erased));

        assertThat(json(new StoryView(story, null)))
                .startsWith("{\"entry\":{\"outbox_id\":")
                .doesNotContain("\"payload\":")
                .endsWith("\"payload_erased\":true,\"attempts\":[{\"attempt\":1,\"code\":\"full\","
                        + "\"ended_at\":\"2026-11-30T08:15:00.123456Z\",\"late\":false,\"outcome\":\"permanent\","
                        + "\"started_at\":\"2026-11-30T08:15:00.123456Z\",\"worker_id\":\"w\"}],"
                        + "\"reconciliations\":[{\"answer\":\"failed\",\"answered_at\":\"2026-11-30T08:15:00.123456Z\","
                        + "\"asked_at\":\"2026-11-30T08:15:00.123456Z\",\"attempt\":1,\"code\":\"never\",\"question\":2,"
                        + "\"worker_id\":\"w\"}],\"audit\":[{\"act\":\"erase-payload\","
                        + "\"acted_at\":\"2026-11-30T08:15:00.123456Z\",\"actor\":\"ann\",\"attempt\":1,"
                        + "\"audit_id\":\"" + OUTBOX_ID + "\",\"destination\":\"airline\","
                        + "\"from_status\":\"failed\",\"outbox_id\":\"" + OUTBOX_ID + "\",\"to_status\":\"failed\"}]}");
        assertThat(json(new StoryView(story, "{\"erased\":true}"))).contains("\"payload\":{\"erased\":true}");
    }

    @Test
    void givesANewEntryItsDefaults() {
        OutboxEntry entry = read("{\"destination\":\"airline\",\"idempotency_key\":\"k\",\"payload\":{}}");

        assertThat(entry.outboxId().version()).isEqualTo(7);
        assertThat(entry.commandId()).isNotNull();
        assertThat(entry.status()).isEqualTo(OutboxStatus.PENDING);
        assertThat(entry.attemptCount()).isZero();
        assertThat(entry.createdAt()).isNotNull();
        assertThat(entry.nextAttemptAt()).isNull();
    }

    @Test
    void takesInstantsWithAnyOffset() {
        OutboxEntry entry = read("{\"destination\":\"a\",\"idempotency_key\":\"k\",\"payload\":1,"
                + "\"next_attempt_at\":\"2026-11-30T10:00:00+02:00\"}");

        assertThat(entry.nextAttemptAt()).isEqualTo("2026-11-30T08:00:00Z");
    }

    @Test
    void skipsUnknownNames() {
        OutboxEntry entry = read(
                "{\"x\":{\"y\":[1]},\"destination\":\"a\",\"z\":[{}],\"idempotency_key\":\"k\",\"w\":1,\"payload\":1}");

        assertThat(entry.destination()).isEqualTo("a");
    }

    @Test
    void refusesANameThatIsRepeatedOutsideThePayload() {
        assertMalformed("{\"destination\":\"a\",\"destination\":\"b\",\"idempotency_key\":\"k\",\"payload\":1}")
                .hasMessageContaining("repeated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "7",
                "\"text\"",
                "{",
                "{\"destination\":",
                "{\"destination\":\"SECRET\"",
                "{\"destination\":\"SECRET\",}",
                "{SECRET}",
                "{\"payload\":SECRET}",
                ENTRY + " SECRET",
                ENTRY + ENTRY,
                "{\"payload\":1e99999999999}",
                "{\"payload\":\"SECRET\\uZZZZ\"}",
                "{\"attempt_count\":\"SECRET\"}",
                "{\"attempt_count\":1.5}",
                "{\"attempt_count\":1e10}",
                "{\"destination\":{\"SECRET\":1}}",
                "{\"next_attempt_at\":\"SECRET\"}"
            })
    void refusesWhatIsNoEntryAndNeverRepeatsIt(String body) {
        assertMalformed(body).hasMessageNotContaining("SECRET");
    }

    @Test
    void refusesABodyThatIsNotUtf8() {
        byte[] latin1 = "{\"destination\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> OutboxJson.read(latin1, EntryJson::read)).hasMessage("the body is not UTF-8");
    }

    @Test
    void refusesABodyThatIsNestedTooDeeply() {
        assertMalformed("{\"payload\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}");
    }

    @Test
    void namesTheFieldThatIsWrong() {
        assertMalformed("{\"next_attempt_at\":\"soon\"}")
                .hasMessage("next_attempt_at is not an RFC 3339 date and time");
        assertThatThrownBy(() -> read("{\"outbox_id\":\"1-1-1-1-1\"}")).hasMessage("outbox_id is not a UUID");
        assertThatThrownBy(() -> read("{\"destination\":\"a\",\"payload\":1}"))
                .isInstanceOf(InvalidRecordException.class)
                .hasMessageContaining("idempotencyKey is missing");
        assertThatThrownBy(() -> read("{\"status\":\"lost\"}")).isInstanceOf(InvalidRecordException.class);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertMalformed(String body) {
        return assertThatThrownBy(() -> read(body))
                .isInstanceOfSatisfying(
                        AdminException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ProblemCodes.MALFORMED_JSON));
    }

    private static OutboxEntry.Builder entry(String payload) {
        return OutboxEntry.builder()
                .outboxId(OUTBOX_ID)
                .commandId(COMMAND_ID)
                .destination("airline")
                .idempotencyKey("k-1")
                .payload(payload)
                .createdAt(CREATED_AT);
    }

    private static OutboxSummary summary() {
        return OutboxSummary.of(new OutboxRecord(entry("1").build(), null, null, null));
    }

    private static String json(Object value) {
        return OutboxJson.JSONB.toJson(value);
    }

    private static OutboxEntry read(String body) {
        return OutboxJson.read(body.getBytes(StandardCharsets.UTF_8), EntryJson::read);
    }
}
