package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.ReferenceDispatcher.Claimed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference's statements and ours on one table, which the reference created. */
class ForeignDispatcherTest extends StageFixture {
    /** What jsonb changes: spaces, the order of keys, a key that stands twice. */
    private static final String SENT = "{\"b\": 1,   \"a\":2.50, \"b\":{\"text\":\"\u00e9\"}}";

    private static final String KEPT = "{\"a\": 2.50, \"b\": {\"text\": \"\u00e9\"}}";

    private ReferenceDispatcher reference;

    ForeignDispatcherTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Override
    DataSource database() throws SQLException {
        DataSource database = ForeignTableFixture.upgraded();
        reference = new ReferenceDispatcher(database);
        return database;
    }

    @Test
    void keepsTheBytesOfAPayloadFromTheFirstReadOn() throws SQLException {
        UUID id = store(entry("ours").payload(SENT).build()).outboxId();
        assertThat(read.get(id).entry().payload()).isEqualTo(KEPT);
        for (int attempt = 1; attempt <= 3; attempt++) {
            Instant now = T0.plusSeconds(attempt);
            ClaimedEntry claimed = claim(now);
            assertThat(claimed.entry().payload()).isEqualTo(KEPT);
            in(() -> settle.settle(TOKEN, List.of(Settlement.retry(id, "busy", Duration.ZERO)), now));
        }
        assertThat(reference.claimDue(T0.plusSeconds(10), 10)).containsExactly(new Claimed(id, KEPT, 4));
    }

    /** JSON, and yet nothing that jsonb can hold. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"nul\":\"\\u0000\"}", "\"\\ud83d\"", "[1e400000]"})
    void refusesAPayloadThatJsonbCannotHold(String payload) {
        JsonText.check("payload", payload);
        OutboxEntry refused = entry("refused").payload(payload).build();
        OutboxException refusal = StoreFailure.of(
                catchException(() -> enqueue.enqueue(List.of(entry("a").build(), refused))));
        assertThat(refusal).isInstanceOf(InvalidRecordException.class).hasNoCause();
        assertThat(refusal.getMessage()).contains("SQLSTATE 22", "rolled back").doesNotContain("400000");
        assertThat(read.listForCommand(refused.commandId())).isEmpty();
    }

    @Test
    void sendsWhatTheReferenceEnqueued() throws SQLException {
        UUID id = reference.enqueue("theirs", SENT, T0);
        ClaimedEntry claimed = claim(T0);
        assertThat(claimed.entry().outboxId()).isEqualTo(id);
        assertThat(claimed.entry().payload()).isEqualTo(KEPT);
        assertThat(claimed.budgetUsed()).isEqualTo(1);
        assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.completed(id, "PNR")), T0)))
                .isEmpty();
        assertThat(read.get(id).entry().status()).isEqualTo(OutboxStatus.COMPLETED);
    }

    @Test
    void dividesTheQueueWithTheReference() throws SQLException {
        for (int i = 0; i < 10; i++) {
            reference.enqueue("theirs" + i, "{}", T0.plusSeconds(i));
            store(entry("ours" + i).createdAt(T0.plusSeconds(i)).build());
        }
        Set<UUID> taken = new HashSet<>();
        try (Connection uncommitted = dataSource.getConnection()) {
            uncommitted.setAutoCommit(false);
            List<Claimed> theirs = reference.claimDue(uncommitted, T0, 5);
            assertThat(theirs).hasSize(5);
            theirs.forEach(row -> taken.add(row.id()));
            // Neither waits for the other.
            List<UUID> ours = claimed(T0, 5);
            assertThat(ours).hasSize(5);
            taken.addAll(ours);
            uncommitted.commit();
        }
        reference.claimDue(T0, 100).forEach(row -> taken.add(row.id()));
        assertThat(taken).hasSize(20);
    }

    @Test
    void goesThroughEveryStatementOfTheReference() throws SQLException {
        UUID done = reference.enqueue("done", "{}", T0);
        UUID failed = reference.enqueue("failed", "{}", T0);
        UUID unknown = reference.enqueue("unknown", "{}", T0);
        UUID retried = reference.enqueue("retried", "{}", T0);
        UUID abandoned = reference.enqueue("abandoned", "{}", T0);
        assertThat(reference.claimDue(T0, 10)).hasSize(5);
        String longer = "no seats left, ".repeat(100);

        assertThat(reference.markCompleted(done, T0)).isTrue();
        assertThat(reference.fail(failed, longer, T0)).isTrue();
        assertThat(reference.fail(failed, "again", T0)).isTrue();
        assertThat(reference.markOutcomeUnknown(unknown, "ref")).isTrue();
        assertThat(reference.requeue(retried, longer, T0.plusSeconds(60))).isTrue();
        assertThat(reference.releaseExpiredClaims(T0.plusSeconds(1))).containsExactly(abandoned);

        assertThat(claimed(T0, 10)).containsExactly(abandoned);
        assertThat(claimed(T0.plusSeconds(60), 10)).containsExactly(retried);
        assertThat(read.get(retried).lastFailure()).isEqualTo(longer);
        assertThat(read.get(failed).lastFailure()).isEqualTo("again");
        assertThat(reference.markCompleted(unknown, T0)).isTrue();
    }

    /** A row that was promoted for us and put off by the reference is neither claimed early nor lost. */
    @Test
    void waitsForTheTimeToWhichTheReferencePutsARowOff() throws SQLException {
        UUID id = store(entry("a").nextAttemptAt(T0.plusSeconds(10)).build()).outboxId();
        in(() -> claim.promote(T0.plusSeconds(10), 10));
        assertThat(reference.requeue(id, "busy", T0.plusSeconds(20))).isTrue();
        assertThat(claimed(T0.plusSeconds(19), 10)).isEmpty();
        assertThat(claimed(T0.plusSeconds(20), 10)).containsExactly(id);
    }

    @Test
    void isRefusedWhereTheReferenceSettledMeanwhile() throws SQLException {
        UUID id = store(entry("a").build()).outboxId();
        claimed(T0, 10);
        assertThat(reference.markCompleted(id, T0)).isTrue();
        assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.failed(id, "late")), T0)))
                .containsExactly(id);
    }

    @Test
    void takesTheInsertOfTheReferenceInATableOfOurOwn() throws SQLException {
        DataSource own = TestPostgreSql.empty();
        new Schema(own, Database.POSTGRESQL).migrate();
        ReferenceDispatcher there = new ReferenceDispatcher(own);
        UUID id = there.enqueue("theirs", SENT, T0);
        assertThat(there.claimDue(T0, 10)).containsExactly(new Claimed(id, KEPT, 1));
    }

    private ClaimedEntry claim(Instant now) {
        in(() -> claim.promote(now, 100));
        List<ClaimedEntry> claimed = in(() -> claim.claim(request(1, Set.of()), now));
        assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }
}
