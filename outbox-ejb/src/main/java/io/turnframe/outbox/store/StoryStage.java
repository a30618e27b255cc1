package io.turnframe.outbox.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Gathers what is known of an entry; by primary keys alone. */
final class StoryStage {
    private static final String ATTEMPTS = """
            SELECT attempt, late, worker_id, started_at, ended_at, outcome, code, remote_ref
            FROM tf_outbox_attempt WHERE outbox_id = ? ORDER BY attempt, late""";

    private static final String ANSWERS = """
            SELECT attempt, question, worker_id, asked_at, answered_at, answer, code, remote_ref
            FROM tf_outbox_reconciliation WHERE outbox_id = ? ORDER BY attempt, question""";

    private final QueryStage query;
    private final AuditStage audit;
    private final DataSource dataSource;
    private final Database database;

    StoryStage(QueryStage query, AuditStage audit, DataSource dataSource, Database database) {
        this.query = query;
        this.audit = audit;
        this.dataSource = dataSource;
        this.database = database;
    }

    /** @throws io.turnframe.outbox.OutboxNotFoundException if there is no such entry */
    RecordStory story(UUID outboxId) {
        OutboxSummary summary = query.get(outboxId);
        return new RecordStory(
                summary,
                select(ATTEMPTS, outboxId, this::attempt),
                select(ANSWERS, outboxId, this::answer),
                audit.ofEntry(outboxId));
    }

    private PastAttempt attempt(ResultSet row) throws SQLException {
        return new PastAttempt(
                row.getInt(1),
                row.getBoolean(2),
                row.getString(3),
                database.instant(row, 4),
                database.instant(row, 5),
                row.getString(6),
                row.getString(7),
                row.getString(8));
    }

    private PastAnswer answer(ResultSet row) throws SQLException {
        return new PastAnswer(
                row.getInt(1),
                row.getInt(2),
                row.getString(3),
                database.instant(row, 4),
                database.instant(row, 5),
                row.getString(6),
                row.getString(7),
                row.getString(8));
    }

    /** Reads the columns of a row. */
    @FunctionalInterface
    private interface Columns<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> select(String sql, UUID outboxId, Columns<T> columns) {
        return Jdbc.call(dataSource, connection -> {
            try (PreparedStatement select = connection.prepareStatement(sql)) {
                select.setObject(1, outboxId);
                try (ResultSet rows = select.executeQuery()) {
                    List<T> found = new ArrayList<>();
                    while (rows.next()) {
                        found.add(columns.read(rows));
                    }
                    return found;
                }
            }
        });
    }
}
