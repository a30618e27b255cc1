package io.turnframe.outbox.it.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import jakarta.annotation.Resource;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.InitialContext;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of an entry for every answer and every accident of its sender, an EJB of another deployment. */
@Tag("dispatcher")
@ExtendWith(ArquillianExtension.class)
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=200ms",
    "outbox.dispatch.send-timeout=1s",
    "outbox.dispatch.claim-timeout=4s",
    "outbox.dispatch.initial-backoff=50ms",
    "outbox.dispatch.max-attempts=" + AnswersIT.BUDGET,
    "outbox.dispatch.journal=all",
    "outbox.destinations=scripted",
    "outbox.destination.scripted.sender=" + ScriptedSender.JNDI_NAME
})
class AnswersIT {
    static final int BUDGET = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Function<OutboxEntry, Dispatched> BUSY = entry -> Dispatched.retryable("busy");

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    private Outbox outbox;
    private DataSource dataSource;

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(order = 2)
    static WebArchive application() {
        return Archives.application().addPackage(AnswersIT.class.getPackage());
    }

    @BeforeEach
    void lookUp() throws Exception {
        outbox = InitialContext.doLookup(Outbox.JNDI_NAME);
        dataSource = ThisServer.dataSource();
    }

    // the four answers, at the first, a middle and the last attempt

    @Test
    void completesAtAnyAttempt() throws Exception {
        for (int attempt = 1; attempt <= BUDGET; attempt++) {
            OutboxRecord record = ended(attempt, entry -> Dispatched.completed("PNR-1"));
            assertEnded(record, OutboxStatus.COMPLETED, attempt);
            assertThat(record.remoteRef()).isEqualTo("PNR-1");
            assertThat(journal(record)).hasSize(attempt).last().asString().isEqualTo("completed");
        }
    }

    @Test
    void failsAtAnyAttempt() throws Exception {
        for (int attempt = 1; attempt <= BUDGET; attempt++) {
            OutboxRecord record = ended(attempt, entry -> Dispatched.permanent("no_seat"));
            assertEnded(record, OutboxStatus.FAILED, attempt);
            assertThat(record.lastFailure()).isEqualTo("no_seat");
            assertThat(journal(record)).hasSize(attempt).last().asString().isEqualTo("permanent no_seat");
        }
    }

    @Test
    void isUnknownAtAnyAttempt() throws Exception {
        for (int attempt = 1; attempt <= BUDGET; attempt++) {
            OutboxRecord record = ended(attempt, entry -> Dispatched.unknown("maybe-1"));
            assertEnded(record, OutboxStatus.OUTCOME_UNKNOWN, attempt);
            assertThat(record.remoteRef()).isEqualTo("maybe-1");
            assertThat(journal(record)).hasSize(attempt).last().asString().isEqualTo("unknown");
        }
    }

    @Test
    void isTriedAgainUntilTheLastAttemptAndThenFails() throws Exception {
        for (int attempt = 1; attempt < BUDGET; attempt++) {
            // One more step than named: completes after it.
            OutboxRecord record = ended(attempt, BUSY);
            assertEnded(record, OutboxStatus.COMPLETED, attempt + 1);
            assertThat(record.remoteRef()).isEqualTo("beyond the script");
        }
        OutboxRecord spent = ended(BUDGET, BUSY);
        assertEnded(spent, OutboxStatus.FAILED, BUDGET);
        assertThat(spent.lastFailure()).isEqualTo("turnframe.dispatch.attempts_exhausted");
        assertThat(journal(spent)).containsExactly("retryable busy", "retryable busy", "retryable busy");
    }

    @Test
    void sendsTheSameEntryOnEveryAttempt() throws Exception {
        OutboxRecord record = ended(BUDGET, entry -> Dispatched.completed());
        List<OutboxEntry> seen = Script.seen(record.entry().idempotencyKey());
        assertThat(seen).hasSize(BUDGET);
        assertThat(seen)
                .extracting(OutboxEntry::payload)
                .containsOnly(record.entry().payload());
        assertThat(seen)
                .extracting(OutboxEntry::outboxId)
                .containsOnly(record.entry().outboxId());
        assertThat(seen).extracting(OutboxEntry::attemptCount).containsExactly(1, 2, 3);
    }

    // accidents

    @Test
    void isUnknownAfterAnExceptionAnErrorAndNull() throws Exception {
        List<Function<OutboxEntry, Dispatched>> accidents = List.of(
                entry -> {
                    throw new IllegalStateException("secret");
                },
                entry -> {
                    throw new StackOverflowError();
                },
                entry -> null);
        for (Function<OutboxEntry, Dispatched> accident : accidents) {
            for (int attempt = 1; attempt <= BUDGET; attempt++) {
                assertEnded(ended(attempt, accident), OutboxStatus.OUTCOME_UNKNOWN, attempt);
            }
        }
    }

    @Test
    void isUnknownWhenTheDeadlineHasPassedAndCompletedByALateYes() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        OutboxEntry entry = enqueue(hanging(hang));
        await(entry, OutboxStatus.OUTCOME_UNKNOWN);
        hang.countDown();
        OutboxRecord late = await(entry, OutboxStatus.COMPLETED);
        assertThat(late.remoteRef()).isEqualTo("late");
        assertThat(late.entry().attemptCount()).isEqualTo(1);
        assertThat(journal(late)).containsExactly("unknown", "completed late");
        assertThat(Script.seen(entry.idempotencyKey())).hasSize(1);
    }

    @Test
    void stopsAQueuedResendByALateYes() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        OutboxEntry entry = enqueue(hanging(hang));
        await(entry, OutboxStatus.OUTCOME_UNKNOWN);
        // Authorised to be sent again, an hour from now.
        assertThat(update("UPDATE tf_outbox SET status = 'pending', next_attempt_at = TIMESTAMP '2099-01-01 00:00:00'"
                        + " WHERE outbox_id = '" + entry.outboxId() + "'"))
                .isEqualTo(1);
        hang.countDown();
        await(entry, OutboxStatus.COMPLETED);
        assertThat(Script.seen(entry.idempotencyKey())).hasSize(1);
    }

    @Test
    void keepsALateNoForTheReconcilerAndTheRowUnknown() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        OutboxEntry entry = enqueue(sent -> {
            awaitIgnoringInterrupts(hang);
            return Dispatched.permanent("too_late");
        });
        await(entry, OutboxStatus.OUTCOME_UNKNOWN);
        hang.countDown();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> journal(outbox.get(entry.outboxId())).size() == 2);
        OutboxRecord record = outbox.get(entry.outboxId());
        assertThat(journal(record)).containsExactly("unknown", "permanent too_late late");
        assertThat(record.entry().status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    // settlements that cannot be

    @Test
    void refusesTheSettlementOfALostClaimAndGoesOn() throws Exception {
        OutboxEntry lost = enqueue(sent -> {
            // Another node has released the claim and taken the row.
            update("UPDATE tf_outbox SET claim_token = '" + UUID.randomUUID() + "', claim_worker_id = 'other'"
                    + " WHERE outbox_id = '" + sent.outboxId() + "'");
            return Dispatched.completed("ours");
        });
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !Script.seen(lost.idempotencyKey()).isEmpty());
        await(enqueue(sent -> Dispatched.completed()), OutboxStatus.COMPLETED);
        OutboxRecord others = outbox.get(lost.outboxId());
        assertThat(others.remoteRef()).isNull();
        assertThat(others.entry().status()).isNotEqualTo(OutboxStatus.COMPLETED);
        // Marked by us, abandoned by the other: nobody may repeat it.
        await(lost, OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(Script.seen(lost.idempotencyKey())).hasSize(1);
    }

    @Test
    void doesNotRepeatWhatTheRemoteConfirmedWhenTheDatabaseRefusesToHearOfIt() throws Exception {
        OutboxEntry entry;
        try (SettlementLog log = new SettlementLog()) {
            entry = enqueue(sent -> {
                update("ALTER TABLE tf_outbox RENAME TO tf_outbox_away");
                return Dispatched.completed("confirmed");
            });
            UUID id = entry.outboxId();
            Awaitility.await().atMost(PATIENCE).until(() -> log.saysThatItStaysClaimed(id));
        } finally {
            update("ALTER TABLE tf_outbox_away RENAME TO tf_outbox");
        }
        await(entry, OutboxStatus.OUTCOME_UNKNOWN);
        await(enqueue(sent -> Dispatched.completed()), OutboxStatus.COMPLETED);
        assertThat(Script.seen(entry.idempotencyKey())).hasSize(1);
    }

    private OutboxRecord ended(int attempt, Function<OutboxEntry, Dispatched> answer) throws Exception {
        List<Function<OutboxEntry, Dispatched>> steps =
                Stream.generate(() -> BUSY).limit(attempt - 1L).collect(Collectors.toCollection(ArrayList::new));
        steps.add(answer);
        return await(enqueue(steps), OutboxStatus.COMPLETED, OutboxStatus.FAILED, OutboxStatus.OUTCOME_UNKNOWN);
    }

    private void assertEnded(OutboxRecord record, OutboxStatus status, int attempts) {
        assertThat(record.entry().status()).isEqualTo(status);
        assertThat(record.entry().attemptCount()).isEqualTo(attempts);
        assertThat(record.claim()).isNull();
        assertThat(Script.seen(record.entry().idempotencyKey())).hasSize(attempts);
    }

    private OutboxEntry enqueue(Function<OutboxEntry, Dispatched> step) throws Exception {
        return enqueue(List.of(step));
    }

    private OutboxEntry enqueue(List<Function<OutboxEntry, Dispatched>> steps) throws Exception {
        String key = UUID.randomUUID().toString();
        Script.set(key, steps);
        OutboxEntry entry = OutboxEntry.pending(UUID.randomUUID(), "scripted", key, "{\"n\":1.0,\"n\":2}");
        transaction.begin();
        outbox.enqueue(entry);
        transaction.commit();
        return entry;
    }

    private OutboxRecord await(OutboxEntry entry, OutboxStatus... statuses) {
        return Awaitility.await("entry " + entry.outboxId())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> outbox.get(entry.outboxId()),
                        record -> List.of(statuses).contains(record.entry().status()));
    }

    private static Function<OutboxEntry, Dispatched> hanging(CountDownLatch hang) {
        return entry -> {
            awaitIgnoringInterrupts(hang);
            return Dispatched.completed("late");
        };
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException deaf) {
                continue;
            }
        }
    }

    private int update(String statement) {
        try (Connection connection = dataSource.getConnection();
                Statement update = connection.createStatement()) {
            return update.executeUpdate(statement);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** What the journal holds of an entry, in order: outcome, code, and whether it was late. */
    private List<String> journal(OutboxRecord record) {
        List<String> attempts = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement select = connection.createStatement();
                ResultSet rows =
                        select.executeQuery("SELECT outcome, code, late FROM tf_outbox_attempt WHERE outbox_id = '"
                                + record.entry().outboxId() + "' ORDER BY attempt, late")) {
            while (rows.next()) {
                attempts.add(rows.getString(1)
                        + (rows.getString(2) == null ? "" : " " + rows.getString(2))
                        + (rows.getBoolean(3) ? " late" : ""));
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return attempts;
    }
}
