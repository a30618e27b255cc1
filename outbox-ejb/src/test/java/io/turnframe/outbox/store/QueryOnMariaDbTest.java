package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryOnMariaDbTest extends QueryContract {
    private static final int ROWS = 6_000;
    private static final int WINDOW = 100;

    QueryOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }

    @Test
    void looksAtAWindowAlsoWhereManyNeedAPerson() throws SQLException {
        fill();
        QueryStage narrow = new QueryStage(em, stageDatabase(), WINDOW);
        for (OutboxStatus status : List.of(OutboxStatus.FAILED, OutboxStatus.OUTCOME_UNKNOWN)) {
            OutboxFilter all = new OutboxFilter(status, null, null);
            OutboxFilter few = new OutboxFilter(status, null, null, "rare", null, null, null, null);
            assertThat(rowsRead(() -> narrow.page(all, null, 50).entries())).isBetween(50L, 3L * WINDOW);
            assertThat(rowsRead(() -> narrow.page(few, null, 50).entries())).isBetween(50L, 3L * WINDOW);
        }
    }

    /** A third of them completed, a third failed, a third unknown. */
    private void fill() throws SQLException {
        List<OutboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            entries.add(entry("k" + i).createdAt(T0.plusNanos(i * 1_000L)).build());
        }
        enqueue.enqueue(entries);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE tf_outbox SET last_failure = 'code', status ="
                    + " ELT(1 + CRC32(idempotency_key) % 3, 'completed', 'failed', 'outcome_unknown'),"
                    + " completed_at = IF(CRC32(idempotency_key) % 3 < 2, created_at, NULL)");
            statement.execute("ANALYZE TABLE tf_outbox");
        }
    }

    /** How many rows, or entries of an index, the database reads for it. */
    private long rowsRead(Runnable question) throws SQLException {
        em.getTransaction().begin();
        try (Statement statement = em.unwrap(Connection.class).createStatement()) {
            statement.execute("FLUSH STATUS");
            question.run();
            long read = 0;
            try (ResultSet counters = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
                while (counters.next()) {
                    read += counters.getLong(2);
                }
            }
            return read;
        } finally {
            em.getTransaction().rollback();
        }
    }
}
