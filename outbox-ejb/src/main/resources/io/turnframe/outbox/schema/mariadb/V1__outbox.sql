-- The outbox. The first fourteen columns are the contract other programs may rely on; the rest are this product's own
-- and defaulted, so that an INSERT that does not know them works. Instants are UTC. Destination and key are compared
-- byte by byte: the usual collations take 'A' for 'a' and ignore spaces at the end. Ids are text: the type UUID refuses
-- some, and orders most by their last bytes first.
CREATE TABLE IF NOT EXISTS tf_outbox (
    outbox_id         CHAR(36) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    command_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    destination       VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    payload           LONGTEXT CHARACTER SET utf8mb4 NOT NULL,
    idempotency_key   VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    status            VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt_count     INTEGER DEFAULT 0 NOT NULL,
    next_attempt_at   DATETIME(6),
    created_at        DATETIME(6) NOT NULL,
    completed_at      DATETIME(6),
    claim_worker_id   VARCHAR(128) CHARACTER SET utf8mb4,
    claim_taken_at    DATETIME(6),
    last_failure      VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
    remote_ref        VARCHAR(512) CHARACTER SET utf8mb4,
    claim_token       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    send_started_at   DATETIME(6),
    attempts_forgiven INTEGER DEFAULT 0 NOT NULL,
    abandoned_count   INTEGER DEFAULT 0 NOT NULL,
    sends_unmarked    BOOLEAN DEFAULT FALSE NOT NULL,
    promoted_at       DATETIME(6),
    -- Where there are no partial indexes: which index a row stands in. 1 ready to be claimed, 2 delayed, else absent.
    readiness         SMALLINT GENERATED ALWAYS AS (
                          CASE WHEN status = 'pending' THEN
                              CASE WHEN next_attempt_at IS NULL OR promoted_at >= next_attempt_at THEN 1 ELSE 2 END
                          END) VIRTUAL,
    CONSTRAINT tf_outbox_key UNIQUE (destination, idempotency_key),
    CONSTRAINT tf_outbox_status CHECK (status IN ('pending', 'dispatching', 'completed', 'failed', 'outcome_unknown')),
    CONSTRAINT tf_outbox_attempts CHECK (attempt_count >= 0 AND attempts_forgiven >= 0 AND abandoned_count >= 0),
    CONSTRAINT tf_outbox_claim CHECK ((status = 'dispatching') = (claim_worker_id IS NOT NULL AND claim_taken_at IS NOT NULL)),
    CONSTRAINT tf_outbox_completed CHECK ((status IN ('completed', 'failed')) = (completed_at IS NOT NULL)),
    INDEX tf_outbox_ready (readiness, created_at, outbox_id),
    INDEX tf_outbox_delayed (readiness, next_attempt_at),
    INDEX tf_outbox_claims (claim_taken_at),
    INDEX tf_outbox_command (command_id, created_at, outbox_id),
    -- For the purge.
    INDEX tf_outbox_ended (status, completed_at)
) ENGINE = InnoDB;
