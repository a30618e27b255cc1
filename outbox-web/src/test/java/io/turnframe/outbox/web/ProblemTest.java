package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import jakarta.ejb.EJBException;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProblemTest {
    private static final UUID ID = UUID.fromString("0199c0de-0000-7000-8000-000000000001");

    @Test
    void writesProblemDetails() {
        assertThat(json(Problem.of(new OutboxNotFoundException(ID))))
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
                        + "\"detail\":\"no entry 0199c0de-0000-7000-8000-000000000001\","
                        + "\"code\":\"turnframe.store.not_found\","
                        + "\"outbox_id\":\"0199c0de-0000-7000-8000-000000000001\"}");
    }

    @Test
    void givesEachKindOfStoreExceptionItsStatus() {
        assertThat(Problem.of(new OutboxConflictException("no", ID)).status()).isEqualTo(409);
        assertThat(Problem.of(new InvalidRecordException("no")).status()).isEqualTo(400);
        assertThat(Problem.of(new OutboxException(OutboxException.STORE_UNAVAILABLE, "no", null))
                        .status())
                .isEqualTo(503);
        assertThat(Problem.of(new OutboxException("turnframe.reconcile.being_asked", "no", ID))
                        .status())
                .isEqualTo(409);
        assertThat(Problem.of(new OutboxException("turnframe.admin.payload_erased", "no", ID))
                        .status())
                .isEqualTo(409);
        assertThat(Problem.of(new OutboxException("turnframe.admin.stale", "no", ID))
                        .status())
                .isEqualTo(412);
        assertThat(Problem.of(new OutboxException(OutboxException.UNKNOWN_EXECUTION, "no", null))
                        .status())
                .isEqualTo(404);
        assertThat(Problem.of(new OutboxException(OutboxException.STORE_BUSY, "no", null))
                        .status())
                .isEqualTo(503);
        assertThat(Problem.of(new OutboxException(OutboxException.TRANSACTION_REQUIRED, "no", null))
                        .status())
                .isEqualTo(500);
    }

    @Test
    void findsOursInsideWhatAServerWrapsAroundIt() {
        assertThat(Problem.of(new EJBException(new OutboxNotFoundException(ID))).status())
                .isEqualTo(404);
    }

    @Test
    void namesTheParameter() {
        assertThat(json(Problem.of(AdminException.invalidParameter("limit", "limit is too large"))))
                .contains("\"parameter\":\"limit\"", "\"code\":\"turnframe.admin.invalid_parameter\"");
    }

    @Test
    void callsAFieldAsItStandsInTheBody() {
        assertThat(Problem.of(new InvalidRecordException("idempotencyKey is blank"))
                        .detail())
                .isEqualTo("idempotency_key is blank");
    }

    @Test
    void saysWhatMayBeWrongWithARequestThatTheServerCannotRead() {
        assertThat(json(Problem.ofStatus(400))).contains("turnframe.admin.bad_request", "Accept or Content-Type");
    }

    @Test
    void saysNothingOfWhatWasUnforeseen() {
        Problem problem = Problem.of(new IllegalStateException("SELECT secret FROM t", new SQLException("secret")))
                .withIncident("i-1");

        assertThat(problem.status()).isEqualTo(500);
        assertThat(problem.code()).isEqualTo("turnframe.admin.internal_error");
        assertThat(json(problem)).contains("\"incident\":\"i-1\"").doesNotContain("secret", "SELECT", "Exception");
    }

    @Test
    void keepsTheMessageOfAnUnavailableStoreToTheLog() {
        OutboxException down =
                new OutboxException(OutboxException.STORE_UNAVAILABLE, "secret", null, new SQLException("secret"));

        assertThat(json(Problem.of(down)))
                .contains("turnframe.store.unavailable")
                .doesNotContain("secret");
    }

    @Test
    void hasACodeForEveryStatusOfTheServer() {
        assertThat(Problem.ofStatus(401).code()).isEqualTo("turnframe.admin.unauthenticated");
        assertThat(Problem.ofStatus(405).code()).isEqualTo("turnframe.admin.method_not_allowed");
        assertThat(Problem.ofStatus(415).code()).isEqualTo("turnframe.admin.unsupported_media_type");
        assertThat(Problem.ofStatus(418).code()).isEqualTo("turnframe.admin.http_418");
        assertThat(Problem.ofStatus(502).code()).isEqualTo("turnframe.admin.internal_error");
    }

    private static String json(Problem problem) {
        return OutboxJson.JSONB.toJson(problem);
    }
}
