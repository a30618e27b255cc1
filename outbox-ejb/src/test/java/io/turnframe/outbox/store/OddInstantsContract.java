package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Instants that another program may have stored and no record can carry: such a row keeps no other from being sent. */
abstract class OddInstantsContract extends StageFixture {
    private static final UUID COMMAND = new UUID(3, 3);

    private final List<String> early;
    private final List<String> late;

    /**
     * @param early literals before the first instant of a record
     * @param late literals after the last
     */
    OddInstantsContract(TestDatabase database, List<String> early, List<String> late) {
        super(database);
        this.early = early;
        this.late = late;
    }

    @Test
    void claimsThemWithAllOthersAndReadsThemAsTheFirstOrTheLast() throws SQLException {
        List<UUID> odd = new ArrayList<>();
        for (String instant : early) {
            odd.add(insert(instant, instant));
            odd.add(insert(instant, "NULL"));
        }
        for (String instant : late) {
            odd.add(insert(instant, "NULL"));
        }
        UUID waits = late.isEmpty() ? null : insert(late.get(0), late.get(0));
        UUID plain = store(entry("plain").build()).outboxId();

        List<UUID> claimed = claimed(T0, 100);

        assertThat(claimed).contains(plain).containsAll(odd).hasSize(odd.size() + 1);
        assertThat(claimed).endsWith(odd.subList(2 * early.size(), odd.size()).toArray(UUID[]::new));
        for (UUID id : odd) {
            Instant expected = odd.indexOf(id) < 2 * early.size() ? OutboxEntry.MIN_INSTANT : OutboxEntry.MAX_INSTANT;
            assertThat(read.get(id).entry().createdAt()).isEqualTo(expected);
            assertThat(query.get(id)).isEqualTo(OutboxSummary.of(read.get(id)));
        }
        if (waits != null) {
            assertThat(read.get(waits).entry().nextAttemptAt()).isEqualTo(OutboxEntry.MAX_INSTANT);
        }
        assertThat(read.listForCommand(COMMAND)).hasSize(odd.size() + (waits == null ? 0 : 1));
    }

    @Test
    void asksAboutThem() throws SQLException {
        List<UUID> odd = new ArrayList<>();
        for (String instant : early) {
            odd.add(insert(instant, instant));
        }
        assertThat(claimed(T0, 100)).containsExactlyInAnyOrderElementsOf(odd);
        in(() -> settle.settle(
                TOKEN, odd.stream().map(id -> Settlement.unknown(id, null)).toList(), T0));

        ReconcileStage reconcile = new ReconcileStage(em, dataSource, stageDatabase());
        QuestionRequest request = new QuestionRequest("asker", Duration.ofMinutes(1), Duration.ofMinutes(5));
        assertThat(in(() -> reconcile.take(request, Set.of("airline"), 100, 1_000, T0)))
                .extracting(Question::outboxId)
                .containsExactlyInAnyOrderElementsOf(odd);
    }

    @Test
    void turnsThePagesToTheFirstThatIsTooEarly() throws SQLException {
        for (String instant : early) {
            insert(instant, "NULL");
        }
        for (String instant : late) {
            insert(instant, "NULL");
        }
        store(entry("plain").build());

        List<String> walked = new ArrayList<>();
        OutboxPosition after = null;
        do {
            OutboxPage page = query.page(new OutboxFilter(null, null, null), after, 1);
            page.entries().forEach(entry -> walked.add(entry.idempotencyKey()));
            after = page.next();
        } while (after != null);

        assertThat(walked).contains("plain").doesNotHaveDuplicates();
    }

    @Test
    void countsThemAsDueForLongest() throws SQLException {
        for (String instant : early) {
            insert(instant, instant);
            insert(instant, "NULL");
        }
        store(entry("plain").build());

        OutboxStats counted = stats.stats(T0);

        assertThat(counted.dueNow()).isEqualTo(2L * early.size() + 1);
        assertThat(counted.oldestDueAgeSeconds())
                .isEqualTo(Duration.between(OutboxEntry.MIN_INSTANT, T0).toSeconds());
    }

    @Test
    void purgesThoseThatEndedSo() throws SQLException {
        for (String instant : early) {
            change(insert(instant, "NULL"), "status = 'completed', completed_at = " + instant);
        }
        change(store(entry("plain").build()).outboxId(), "status = 'completed', completed_at = created_at");
        PurgeStage purge = new PurgeStage(em, stageDatabase());

        assertThat(purge.isDue(OutboxStatus.COMPLETED, T0)).isTrue();
        assertThat(in(() -> purge.purge(OutboxStatus.COMPLETED, T0.plusSeconds(1), 100)))
                .isEqualTo(early.size() + 1);
    }

    @Test
    void releasesThoseThatWereClaimedSo() throws SQLException {
        List<UUID> odd = new ArrayList<>();
        for (String instant : early) {
            odd.add(insert(instant, "NULL"));
            change(
                    odd.get(odd.size() - 1),
                    "status = 'dispatching', claim_worker_id = 'w', claim_taken_at = " + instant);
        }
        UUID plain = store(entry("plain").build()).outboxId();
        assertThat(claimed(T0, 100)).containsExactly(plain);

        assertThat(in(() -> release.release(T0, Set.of(), T0)).pending()).containsExactlyInAnyOrderElementsOf(odd);
        assertThat(in(() -> release.release(T0.plusSeconds(1), Set.of(), T0)).pending())
                .containsExactly(plain);
    }

    @Test
    void tellsATimerThatTheyAreDueAndWereClaimedLongAgo() throws SQLException {
        for (String instant : early) {
            UUID id = insert(instant, instant);
            assertThat(read.queueState(DestinationScope.ALL).due()).isTrue();
            change(id, "next_attempt_at = NULL");
            assertThat(read.queueState(DestinationScope.ALL).due()).isTrue();
            change(id, "status = 'dispatching', claim_worker_id = 'w', claim_taken_at = " + instant);
            QueueState claimed = read.queueState(DestinationScope.ALL);
            assertThat(claimed.due()).isFalse();
            assertThat(claimed.oldestClaimAge()).isGreaterThan(Duration.ofDays(36_500));
            change(
                    id,
                    "status = 'completed', claim_worker_id = NULL, claim_taken_at = NULL, completed_at = " + instant);
        }
    }

    @Test
    void doesABulkActToEachOfThem() throws SQLException {
        List<UUID> all = insertTwoOfEach();
        all.add(store(entry("plain").build()).outboxId());

        assertThat(rescheduled(100)).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void endsABulkActWhereAStepEndsAtOneThatIsTooEarly() throws SQLException {
        List<UUID> all = insertTwoOfEach();
        UUID plain = store(entry("plain").build()).outboxId();
        all.add(plain);

        assertThat(rescheduled(1)).contains(plain).doesNotHaveDuplicates().isSubsetOf(all);
    }

    private List<UUID> insertTwoOfEach() throws SQLException {
        List<UUID> all = new ArrayList<>();
        for (String instant : early) {
            all.add(insert(instant, "NULL"));
            all.add(insert(instant, "NULL"));
        }
        for (String instant : late) {
            all.add(insert(instant, "NULL"));
            all.add(insert(instant, "NULL"));
        }
        return all;
    }

    /** What a bulk act changes in steps of so many. */
    private List<UUID> rescheduled(int step) {
        List<UUID> changed = new ArrayList<>();
        AuditStage audit = new AuditStage(dataSource, stageDatabase(), written -> changed.add(written.outboxId()));
        BulkStage bulk = new BulkStage(em, query, audit, step);
        BulkAct act = new BulkAct(BulkAct.Kind.RESCHEDULE, OutboxFilter.ALL, T0, null);
        OutboxPosition after = null;
        do {
            OutboxPosition from = after;
            after = in(() -> bulk.step(act, from, "b-1", Act.of("ann", null), T0))
                    .next();
        } while (after != null);
        return changed;
    }

    private UUID insert(String createdAt, String nextAttemptAt) throws SQLException {
        UUID id = UUID.randomUUID();
        try (Connection connection = dataSource.getConnection()) {
            prepare(connection);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO tf_outbox (outbox_id, command_id,"
                    + " destination, payload, idempotency_key, status, attempt_count, next_attempt_at, created_at)"
                    + " VALUES (?, ?, 'airline', '{}', ?, 'pending', 0, " + nextAttemptAt + ", " + createdAt + ")")) {
                insert.setObject(1, id);
                insert.setObject(2, COMMAND);
                insert.setString(3, id.toString());
                insert.executeUpdate();
            }
        }
        return id;
    }

    private void change(UUID id, String assignments) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            prepare(connection);
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE tf_outbox SET " + assignments + " WHERE outbox_id = ?")) {
                update.setObject(1, id);
                update.executeUpdate();
            }
        }
    }

    /** What the other program says to its session. */
    void prepare(Connection connection) throws SQLException {}
}
