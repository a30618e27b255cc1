package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import jakarta.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With dispatch on. The timer's tick is an hour, so whatever is sent here is not sent by the timer. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=1h",
    "outbox.dispatch.send-timeout=2s",
    "outbox.dispatch.claim-timeout=10s",
    "outbox.dispatch.initial-backoff=200ms",
    // Every claim takes one row: what is left over must not wait for the timer.
    "outbox.dispatch.claim-bytes=1"
})
class DispatchOnIT extends WithTravelDesk {
    private final Desk desk = new Desk(TestServer.server());

    /** Each after the one before: one of them may meet the first tick, which is soon, and no other. */
    @Test
    void sendsACommittedBookingAtOnce() {
        for (int i = 0; i < 20; i++) {
            assertThat(desk.await(desk.book("accept"), "completed", "failed").getString("status"))
                    .isEqualTo("completed");
        }
    }

    @Test
    void sendsAllThatATransactionEnqueuedThoughOneClaimCannotTakeIt() {
        List<UUID> booked = desk.bookJourney(null, null, null, null, null);
        assertThat(booked).hasSize(5);
        booked.forEach(booking -> desk.await(booking, "completed"));
    }

    @Test
    void endsEachBookingByWhatTheAirlineSaid() {
        UUID accepted = desk.book("accept");
        UUID refused = desk.book("refuse");
        UUID busy = desk.book("busy");
        UUID silent = desk.book("silent");

        JsonObject completed = desk.await(accepted, "completed", "failed", "outcome_unknown");
        assertThat(completed.getString("status")).isEqualTo("completed");
        assertThat(completed.getString("remote_ref")).startsWith("PNR-");

        JsonObject failed = desk.await(refused, "completed", "failed", "outcome_unknown");
        assertThat(failed.getString("status")).isEqualTo("failed");
        assertThat(failed.getString("last_failure")).isNotBlank();

        JsonObject third = desk.await(busy, "completed", "failed", "outcome_unknown");
        assertThat(third.getString("status")).isEqualTo("completed");
        assertThat(third.getInt("attempts")).isEqualTo(3);

        JsonObject unknown = desk.await(silent, "completed", "failed", "outcome_unknown");
        assertThat(unknown.getString("status")).isEqualTo("outcome_unknown");

        assertThat(List.of(accepted, refused, busy, silent))
                .extracting(desk::requestsAtTheAirline)
                .containsExactly(1, 1, 3, 1);
    }

    /** Their retries come due one after another, some of them while a run still lingers for more. */
    @Test
    void sendsEveryRetryWhenItComesDueThoughTheTickIsAnHour() {
        List<UUID> busy = IntStream.range(0, 5)
                .mapToObj(n -> {
                    desk.await(desk.book("accept"), "completed");
                    return desk.book("busy");
                })
                .toList();
        busy.forEach(booking -> desk.await(booking, "completed"));
        assertThat(busy).extracting(desk::requestsAtTheAirline).containsOnly(3);
    }

    @Test
    void sendsNothingForABookingThatWasRolledBack() {
        UUID rolledBack = desk.bookAndRollBack();
        assertThat(desk.requests(rolledBack)).isEmpty();
        // What was enqueued later has been sent: the rolled-back one will not be.
        desk.await(desk.book("accept"), "completed");
        assertThat(desk.requests(rolledBack)).isEmpty();
        assertThat(desk.requestsAtTheAirline(rolledBack)).isZero();
    }

    @Test
    void sendsTheRestOfATransactionThatMetADuplicate() {
        UUID known = desk.book("accept");
        JsonObject before = desk.await(known, "completed");
        List<UUID> booked = desk.bookJourney(known, null);
        assertThat(booked).hasSize(1).doesNotContain(known);
        desk.await(booked.get(0), "completed");
        assertThat(desk.requestsAtTheAirline(booked.get(0))).isEqualTo(1);
        assertThat(desk.requests(known)).containsExactly(before);
        assertThat(desk.requestsAtTheAirline(known)).isEqualTo(1);
    }
}
