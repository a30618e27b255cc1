package io.turnframe.outbox.store;

import com.github.f4b6a3.uuid.UuidCreator;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Puts acts on record in {@code tf_outbox_audit}, in the transaction of the act, and reads them. Nothing here, or
 * elsewhere, changes or removes what was written.
 */
final class AuditStage {
    private static final String COLUMNS =
            "audit_id, acted_at, actor, act, outbox_id, attempt, destination, from_status, to_status, note, detail";

    private static final String WRITE =
            "INSERT INTO tf_outbox_audit (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String OF_ENTRY =
            "SELECT " + COLUMNS + " FROM tf_outbox_audit WHERE outbox_id = ? ORDER BY acted_at, audit_id";

    private static final String NEWEST_FIRST = " ORDER BY acted_at DESC, audit_id LIMIT ?";

    private static final String NEWEST = "SELECT " + COLUMNS + " FROM tf_outbox_audit" + NEWEST_FIRST;

    private static final String BEHIND = "SELECT " + COLUMNS
            + " FROM tf_outbox_audit WHERE acted_at <= ? AND (acted_at < ? OR audit_id > ?)" + NEWEST_FIRST;

    private final DataSource dataSource;
    private final Database database;
    private final Consumer<AuditRecord> listener;

    /** @param listener told of each record as it is written, before the transaction ends */
    AuditStage(DataSource dataSource, Database database, Consumer<AuditRecord> listener) {
        this.dataSource = dataSource;
        this.database = database;
        this.listener = listener;
    }

    /** One about an entry. */
    static AuditRecord of(
            AuditedAct what, Act act, Instant now, LockedEntry entry, OutboxStatus toStatus, String detail) {
        return new AuditRecord(
                UuidCreator.getTimeOrderedEpoch(),
                now,
                act.by(),
                what.label(),
                entry.outboxId(),
                entry.attemptCount(),
                entry.destination(),
                entry.status(),
                toStatus,
                act.note(),
                detail);
    }

    /**
     * One that is not about an entry.
     *
     * @param destination null if it is about none
     */
    static AuditRecord of(AuditedAct what, Act act, Instant now, String destination, String detail) {
        return new AuditRecord(
                UuidCreator.getTimeOrderedEpoch(),
                now,
                act.by(),
                what.label(),
                null,
                null,
                destination,
                null,
                null,
                act.note(),
                detail);
    }

    /** Records that a remote is asked, if an operator wants it. */
    void asked(Question question, Instant now) {
        reconcile(question, OutboxStatus.OUTCOME_UNKNOWN, "question=" + question.number(), now);
    }

    /** Records what the answer made of the entry, if an operator wanted it asked. */
    void answered(Question question, Reconciled answer, Instant now) {
        OutboxStatus toStatus = switch (answer.kind()) {
            case COMPLETED -> OutboxStatus.COMPLETED;
            case FAILED -> OutboxStatus.FAILED;
            case RESEND -> OutboxStatus.PENDING;
            case UNRESOLVED -> OutboxStatus.OUTCOME_UNKNOWN;
        };
        String detail = "question=" + question.number() + " answer="
                + answer.kind().name().toLowerCase(Locale.ROOT);
        reconcile(question, toStatus, detail, now);
    }

    private void reconcile(Question question, OutboxStatus toStatus, String detail, Instant now) {
        if (question.act() != null) {
            LockedEntry entry = new LockedEntry(
                    question.outboxId(), OutboxStatus.OUTCOME_UNKNOWN, question.destination(), question.attempt());
            write(of(AuditedAct.RECONCILE, question.act(), now, entry, toStatus, detail));
        }
    }

    void write(AuditRecord record) {
        write(List.of(record));
    }

    void write(List<AuditRecord> records) {
        if (records.isEmpty()) {
            return;
        }
        Jdbc.call(dataSource, connection -> {
            try (PreparedStatement insert = connection.prepareStatement(WRITE)) {
                for (AuditRecord record : records) {
                    bind(insert, record);
                    insert.addBatch();
                }
                return insert.executeBatch();
            }
        });
        records.forEach(listener);
    }

    private void bind(PreparedStatement insert, AuditRecord record) throws SQLException {
        insert.setObject(1, record.auditId());
        database.bind(insert, 2, record.actedAt());
        insert.setString(3, record.actor());
        insert.setString(4, record.act());
        insert.setObject(5, record.outboxId());
        insert.setObject(6, record.attempt());
        insert.setString(7, record.destination());
        insert.setString(8, label(record.fromStatus()));
        insert.setString(9, label(record.toStatus()));
        insert.setString(10, record.note());
        insert.setString(11, record.detail());
    }

    private static String label(OutboxStatus status) {
        return status == null ? null : status.label();
    }

    /** What was done to an entry, in order. */
    List<AuditRecord> ofEntry(UUID outboxId) {
        return select(OF_ENTRY, statement -> statement.setObject(1, outboxId));
    }

    /** The newest, or those behind a position; the next page's position is that of the last. */
    List<AuditRecord> page(OutboxPosition after, int limit) {
        if (after == null) {
            return select(NEWEST, statement -> statement.setInt(1, limit));
        }
        return select(BEHIND, statement -> {
            database.bind(statement, 1, after.createdAt());
            database.bind(statement, 2, after.createdAt());
            statement.setObject(3, after.outboxId());
            statement.setInt(4, limit);
        });
    }

    /** Whether the payload of the entry was replaced. */
    boolean isErased(UUID outboxId) {
        return ofEntry(outboxId).stream().anyMatch(record -> is(AuditedAct.ERASE_PAYLOAD, record));
    }

    /** The first wish to send it again whose attempt this is still about. */
    Optional<AuditRecord> resendRequest(LockedEntry entry) {
        return ofEntry(entry.outboxId()).stream()
                .filter(record -> is(AuditedAct.REQUEST_RESEND, record))
                .filter(record -> record.attempt() == entry.attemptCount())
                .findFirst();
    }

    private static boolean is(AuditedAct act, AuditRecord record) {
        return act.label().equals(record.act());
    }

    /** Binds the parameters of a statement. */
    @FunctionalInterface
    private interface Parameters {
        void bind(PreparedStatement statement) throws SQLException;
    }

    private List<AuditRecord> select(String sql, Parameters parameters) {
        return Jdbc.call(dataSource, connection -> {
            try (PreparedStatement select = connection.prepareStatement(sql)) {
                parameters.bind(select);
                try (ResultSet rows = select.executeQuery()) {
                    List<AuditRecord> records = new ArrayList<>();
                    while (rows.next()) {
                        records.add(read(rows));
                    }
                    return records;
                }
            }
        });
    }

    private AuditRecord read(ResultSet row) throws SQLException {
        return new AuditRecord(
                uuid(row, 1),
                database.instant(row, 2),
                row.getString(3),
                row.getString(4),
                uuid(row, 5),
                Jdbc.integer(row, 6),
                row.getString(7),
                status(row, 8),
                status(row, 9),
                row.getString(10),
                row.getString(11));
    }

    private static UUID uuid(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : UUID.fromString(text);
    }

    private static OutboxStatus status(ResultSet row, int column) throws SQLException {
        String label = row.getString(column);
        return label == null ? null : OutboxStatus.ofLabel(label);
    }
}
