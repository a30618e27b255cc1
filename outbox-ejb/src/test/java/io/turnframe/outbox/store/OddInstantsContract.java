package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxEntry;
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

    /** What the other program says to its session. */
    void prepare(Connection connection) throws SQLException {}
}
