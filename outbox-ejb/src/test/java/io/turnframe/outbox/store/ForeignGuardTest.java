package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What the guard in the documents does where another dispatcher works on the table. */
class ForeignGuardTest extends StageFixture {
    private ReferenceDispatcher reference;

    ForeignGuardTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Override
    DataSource database() throws SQLException {
        DataSource database = ForeignTableFixture.upgraded();
        String guard = ForeignTableFixture.documented("foreign-programs.md", "guard");
        TestPostgreSql.execute(database, guard);
        TestPostgreSql.execute(database, guard);
        reference = new ReferenceDispatcher(database);
        return database;
    }

    @Test
    void refusesALateSettlementOfARowThatTheReferenceReleasedAndClaimed() throws SQLException {
        UUID id = store(entry("a").build()).outboxId();
        claimed(T0, 10);
        assertThat(reference.releaseExpiredClaims(T0.plusSeconds(1))).containsExactly(id);
        assertThat(reference.claimDue(T0.plusSeconds(2), 10)).hasSize(1);

        assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.failed(id, "late")), T0)))
                .containsExactly(id);
        assertThat(in(() -> settle.mark(TOKEN, List.of(id), T0))).containsExactly(id);
        assertThat(reference.markCompleted(id, T0)).isTrue();
    }

    @Test
    void refusesARepeatedSettlementOfARowThatTheReferenceClaimedSince() throws SQLException {
        UUID id = store(entry("a").build()).outboxId();
        claimed(T0, 10);
        List<Settlement> retry = List.of(Settlement.retry(id, "busy", Duration.ZERO));
        assertThat(in(() -> settle.settle(TOKEN, retry, T0))).isEmpty();
        assertThat(reference.claimDue(T0.plusSeconds(2), 10)).hasSize(1);

        assertThat(in(() -> settle.settle(TOKEN, retry, T0))).containsExactly(id);
        assertThat(read.get(id).claim().workerId()).isEqualTo("reference");
    }

    @Test
    void setsARowAsideThatTheReferenceReleasesAlthoughItsSendHadStarted() throws SQLException {
        UUID marked = store(entry("marked").build()).outboxId();
        UUID unsent = store(entry("unsent").build()).outboxId();
        claimed(T0, 10);
        in(() -> settle.mark(TOKEN, Set.of(marked), T0));
        assertThat(reference.releaseExpiredClaims(T0.plusSeconds(1))).contains(unsent);

        assertThat(read.get(marked).entry().status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(read.get(unsent).entry().status()).isEqualTo(OutboxStatus.PENDING);
    }

    /** Whoever names a time for the next attempt knows that there shall be one. */
    @Test
    void leavesAVerdictAsItIs() throws SQLException {
        UUID id = store(entry("marked").build()).outboxId();
        claimed(T0, 10);
        in(() -> settle.mark(TOKEN, Set.of(id), T0));
        assertThat(reference.requeue(id, "not sent", T0.plusSeconds(5))).isTrue();

        assertThat(claimed(T0.plusSeconds(5), 10)).containsExactly(id);
    }

    /** Nobody knows how far the reference came with a claim that it abandoned. */
    @Test
    void setsARowAsideThatTheReferenceAbandoned() throws SQLException {
        UUID id = store(entry("a").destination("dedup").build()).outboxId();
        claimed(T0, 10);
        in(() -> settle.giveBack(TOKEN, Set.of(id)));
        assertThat(reference.claimDue(T0, 10)).hasSize(1);

        Released released = in(() -> release.release(T0.plusSeconds(1), Set.of("dedup"), T0));
        assertThat(released.unknown()).containsExactly(id);
    }

    @Test
    void leavesTheReferenceToItsOwnClaims() throws SQLException {
        UUID id = store(entry("a").build()).outboxId();
        assertThat(reference.claimDue(T0, 10)).hasSize(1);
        assertThat(reference.releaseExpiredClaims(T0.plusSeconds(1))).containsExactly(id);

        assertThat(claimed(T0, 10)).containsExactly(id);
        assertThat(in(() -> release.release(T0.plusSeconds(1), Set.of(), T0)).pending())
                .as("ours, and not marked")
                .containsExactly(id);
    }
}
