package io.turnframe.outbox.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.util.PGobject;

/**
 * Another program on the same table: the table, the statements and the parameter types of the outbox this one
 * re-implements. It knows nothing of tokens, marks and promotion. Each call is a transaction of its own.
 */
record ReferenceDispatcher(DataSource database) {
    static final String TABLE = """
            CREATE TABLE tf_outbox (
                outbox_id       uuid PRIMARY KEY,
                command_id      uuid NOT NULL,
                destination     text NOT NULL,
                payload         jsonb NOT NULL,
                idempotency_key text NOT NULL,
                status          text NOT NULL,
                attempt_count   integer NOT NULL,
                next_attempt_at timestamptz,
                created_at      timestamptz NOT NULL,
                completed_at    timestamptz,
                claim_worker_id text,
                claim_taken_at  timestamptz,
                last_failure    text,
                remote_ref      text,
                UNIQUE (destination, idempotency_key)
            )""";

    private static final String INSERT = """
            INSERT INTO tf_outbox (
                outbox_id, command_id, destination, payload, idempotency_key, status,
                attempt_count, next_attempt_at, created_at, completed_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String CLAIM_DUE = """
            WITH due AS (
                SELECT outbox_id FROM tf_outbox
                WHERE status = 'pending' AND (next_attempt_at IS NULL OR next_attempt_at <= ?)
                ORDER BY created_at, outbox_id
                LIMIT ?
                FOR UPDATE SKIP LOCKED
            )
            UPDATE tf_outbox o
            SET status = 'dispatching',
                attempt_count = o.attempt_count + 1,
                claim_worker_id = ?,
                claim_taken_at = ?
            FROM due
            WHERE o.outbox_id = due.outbox_id
            RETURNING o.outbox_id, o.command_id, o.destination, o.payload,
                o.idempotency_key, o.status, o.attempt_count, o.next_attempt_at, o.created_at,
                o.completed_at, o.claim_worker_id, o.claim_taken_at, o.last_failure, o.remote_ref""";

    private static final String MARK_COMPLETED = """
            UPDATE tf_outbox
            SET status = 'completed', completed_at = ?, claim_worker_id = NULL, claim_taken_at = NULL
            WHERE outbox_id = ? AND status IN ('dispatching', 'outcome_unknown')""";

    private static final String REQUEUE = """
            UPDATE tf_outbox
            SET status = 'pending', next_attempt_at = ?,
                last_failure = COALESCE(?, last_failure),
                claim_worker_id = NULL, claim_taken_at = NULL
            WHERE outbox_id = ? AND status NOT IN ('completed', 'failed')""";

    private static final String FAIL = """
            UPDATE tf_outbox
            SET status = 'failed', completed_at = ?, last_failure = ?,
                claim_worker_id = NULL, claim_taken_at = NULL
            WHERE outbox_id = ? AND status IN ('dispatching', 'outcome_unknown')""";

    private static final String FAIL_AGAIN =
            "UPDATE tf_outbox SET last_failure = ? WHERE outbox_id = ? AND status = 'failed'";

    private static final String MARK_OUTCOME_UNKNOWN = """
            UPDATE tf_outbox
            SET status = 'outcome_unknown', remote_ref = ?,
                claim_worker_id = NULL, claim_taken_at = NULL
            WHERE outbox_id = ? AND status = 'dispatching'""";

    private static final String RELEASE_EXPIRED_CLAIMS = """
            UPDATE tf_outbox
            SET status = 'pending', next_attempt_at = NULL,
                claim_worker_id = NULL, claim_taken_at = NULL
            WHERE status = 'dispatching' AND claim_taken_at < ?
            RETURNING outbox_id""";

    /** What a claim returns of a row. */
    record Claimed(UUID id, String payload, int attemptCount) {}

    UUID enqueue(String key, String payload, Instant createdAt) throws SQLException {
        UUID id = UUID.randomUUID();
        update(INSERT, id, UUID.randomUUID(), "airline", jsonb(payload), key, "pending", 0, null, at(createdAt), null);
        return id;
    }

    List<Claimed> claimDue(Instant now, int limit) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return claimDue(connection, now, limit);
        }
    }

    /** In the transaction of {@code connection}. */
    List<Claimed> claimDue(Connection connection, Instant now, int limit) throws SQLException {
        try (PreparedStatement claim = connection.prepareStatement(CLAIM_DUE)) {
            bind(claim, at(now), (long) limit, "reference", at(now));
            try (ResultSet rows = claim.executeQuery()) {
                List<Claimed> claimed = new ArrayList<>();
                while (rows.next()) {
                    claimed.add(new Claimed(
                            rows.getObject("outbox_id", UUID.class),
                            rows.getString("payload"),
                            rows.getInt("attempt_count")));
                }
                return claimed;
            }
        }
    }

    boolean markCompleted(UUID id, Instant now) throws SQLException {
        return update(MARK_COMPLETED, at(now), id) == 1;
    }

    boolean requeue(UUID id, String reason, Instant retryAt) throws SQLException {
        return update(REQUEUE, at(retryAt), reason, id) == 1;
    }

    boolean fail(UUID id, String reason, Instant now) throws SQLException {
        return update(FAIL, at(now), reason, id) == 1 || update(FAIL_AGAIN, reason, id) == 1;
    }

    boolean markOutcomeUnknown(UUID id, String remoteRef) throws SQLException {
        return update(MARK_OUTCOME_UNKNOWN, remoteRef, id) == 1;
    }

    List<UUID> releaseExpiredClaims(Instant claimedBefore) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement release = connection.prepareStatement(RELEASE_EXPIRED_CLAIMS)) {
            bind(release, at(claimedBefore));
            try (ResultSet rows = release.executeQuery()) {
                List<UUID> released = new ArrayList<>();
                while (rows.next()) {
                    released.add(rows.getObject(1, UUID.class));
                }
                return released;
            }
        }
    }

    private int update(String sql, Object... parameters) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }

    private static PGobject jsonb(String json) throws SQLException {
        PGobject jsonb = new PGobject();
        jsonb.setType("jsonb");
        jsonb.setValue(json);
        return jsonb;
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
