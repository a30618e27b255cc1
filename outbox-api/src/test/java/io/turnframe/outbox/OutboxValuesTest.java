package io.turnframe.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxValuesTest {
    private static final UUID COMMAND = new UUID(1, 2);

    @Test
    void cutsInstantsToTheMicrosecond() {
        OutboxEntry entry = entry().createdAt(Instant.parse("2026-03-29T00:59:59.999999999Z"))
                .nextAttemptAt(Instant.parse("1969-12-31T23:59:59.000000999Z"))
                .build();
        assertThat(entry.createdAt()).isEqualTo("2026-03-29T00:59:59.999999Z");
        assertThat(entry.nextAttemptAt()).isEqualTo("1969-12-31T23:59:59Z");
        assertThat(entry.completedAt()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1599-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "-1000000000-01-01T00:00:00Z"})
    void refusesAnInstantThatNotEveryDatabaseKeeps(String instant) {
        assertThatExceptionOfType(InvalidRecordException.class)
                .isThrownBy(() -> entry().nextAttemptAt(Instant.parse(instant)).build())
                .withMessageContaining("nextAttemptAt")
                .matches(e -> e.code().equals("turnframe.store.invalid_record"));
    }

    @Test
    void refusesAMissingPartAndNamesIt() {
        assertThatExceptionOfType(InvalidRecordException.class)
                .isThrownBy(() -> OutboxEntry.pending(COMMAND, null, "k", "{}"))
                .withMessage("destination is missing");
        assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> Dispatched.permanent(null));
        assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> Reconciled.failed(null));
    }

    @Test
    void givesNewEntriesTimeOrderedIds() {
        OutboxEntry first = OutboxEntry.pending(COMMAND, "airline", "1", "{}");
        OutboxEntry second = OutboxEntry.pending(COMMAND, "airline", "2", "{}");
        assertThat(first.outboxId().version()).isEqualTo(7);
        assertThat(first.outboxId().toString()).isLessThan(second.outboxId().toString());
    }

    @Test
    void survivesSerialization() throws Exception {
        OutboxEntry entry =
                entry().status(OutboxStatus.DISPATCHING).attemptCount(2).build();
        var values = List.of(
                new OutboxRecord(entry, new OutboxClaim("w", Instant.EPOCH), "busy", "AB12"),
                new OutboxRecord(entry, null, null, null),
                Dispatched.completed("AB12"),
                Dispatched.retryable("busy", Instant.parse("2026-11-01T00:00:00.000001Z")),
                Dispatched.unavailable("down"),
                Dispatched.unavailable("down", Instant.parse("2026-11-01T00:00:00.000001Z")),
                Dispatched.permanent("refused"),
                Dispatched.unknown(),
                Reconciled.completed("AB12"),
                Reconciled.failed("gone"),
                Reconciled.resend(),
                Reconciled.unresolved());
        for (Object value : values) {
            assertThat(copy(value)).isEqualTo(value).hasToString(value.toString());
        }
    }

    @Test
    void keepsThePayloadOutOfItsDescription() {
        assertThat(entry().payload("{\"card\":\"4711\"}").build().toString()).doesNotContain("4711");
    }

    @Test
    void findsAStatusByItsLabel() {
        for (OutboxStatus status : OutboxStatus.values()) {
            assertThat(OutboxStatus.ofLabel(status.label())).isSameAs(status);
        }
        assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> OutboxStatus.ofLabel("done"));
    }

    @Test
    void writesTheReportInOneLine() {
        var report = new DispatchReport(10, 1, 0, 2, 0).plus(new DispatchReport(0, 0, 3, 0, 1));
        assertThat(report).hasToString("completed=10 retried=1 failed=3 unknown=2 unsettled=1");
        assertThat(report.sent()).isEqualTo(17);
    }

    @Test
    void readsTheReportThatItWrote() {
        var report = new DispatchReport(10, 1, 3, 2, 1);
        assertThat(DispatchReport.parse(report.toString())).contains(report);
        assertThat(DispatchReport.parse("FAILED")).isEmpty();
        assertThat(DispatchReport.parse(report + " ")).isEmpty();
        assertThat(DispatchReport.parse(null)).isEmpty();
    }

    private static OutboxEntry.Builder entry() {
        return OutboxEntry.pending(COMMAND, "airline", "key", "{}").toBuilder();
    }

    private static Object copy(Object value) throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }
}
