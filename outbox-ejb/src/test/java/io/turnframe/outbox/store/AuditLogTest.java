package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    private static final UUID ID = new UUID(1, 1);
    private static final Instant AT = Instant.parse("2026-11-30T08:15:00Z");

    @Test
    void writesAnActInFields() {
        AuditRecord record = new AuditRecord(
                ID,
                AT,
                "ann",
                "fail",
                ID,
                2,
                "air line",
                OutboxStatus.OUTCOME_UNKNOWN,
                OutboxStatus.FAILED,
                "why",
                "code=x");

        assertThat(AuditLog.line(record))
                .isEqualTo("act=fail by=\"ann\" outbox_id=" + ID + " attempt=2 destination=\"air line\""
                        + " from=outcome_unknown to=failed note=\"why\" detail=\"code=x\" audit_id=" + ID
                        + " at=2026-11-30T08:15:00Z");
    }

    @Test
    void leavesOutWhatIsAbsentAndLetsNoTextEndItsQuotes() {
        AuditRecord record =
                new AuditRecord(ID, AT, "a\" b", "stop", null, null, null, null, null, "c\\\" act=complete", null);

        assertThat(AuditLog.line(record))
                .isEqualTo("act=stop by=\"a\\\" b\" note=\"c\\\\\\\" act=complete\" audit_id=" + ID
                        + " at=2026-11-30T08:15:00Z");
    }
}
