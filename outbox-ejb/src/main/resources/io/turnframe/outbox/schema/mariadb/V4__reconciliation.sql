-- Since when an entry's outcome is unknown, and how far asking its remote has come. All absent, or 0, in any other status.
-- unknown_attempt is the attempt_count that unknown_since belongs to: a program that claims the row without knowing these
-- columns leaves them behind, and this tells that they are stale. reconcile_at says when the remote is asked next, absent:
-- at once; while it is being asked, by reconcile_worker_id: when the question counts as abandoned.
ALTER TABLE tf_outbox
    ADD COLUMN IF NOT EXISTS unknown_since DATETIME(6),
    ADD COLUMN IF NOT EXISTS unknown_attempt INTEGER,
    ADD COLUMN IF NOT EXISTS reconcile_count INTEGER DEFAULT 0 NOT NULL,
    ADD COLUMN IF NOT EXISTS reconcile_at DATETIME(6),
    ADD COLUMN IF NOT EXISTS reconcile_worker_id VARCHAR(128) CHARACTER SET utf8mb4;

CREATE INDEX IF NOT EXISTS tf_outbox_unknown ON tf_outbox (status, destination, reconcile_at);

-- What reconcilers answered, where that settled the entry. Rows go with their entry.
CREATE TABLE IF NOT EXISTS tf_outbox_reconciliation (
    outbox_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt     INTEGER NOT NULL,
    question    INTEGER NOT NULL,
    worker_id   VARCHAR(128) CHARACTER SET utf8mb4 NOT NULL,
    asked_at    DATETIME(6) NOT NULL,
    answered_at DATETIME(6) NOT NULL,
    answer      VARCHAR(20) CHARACTER SET utf8mb4 NOT NULL,
    code        VARCHAR(128) CHARACTER SET utf8mb4,
    remote_ref  VARCHAR(512) CHARACTER SET utf8mb4,
    PRIMARY KEY (outbox_id, attempt, question),
    CONSTRAINT tf_outbox_reconciliation_entry FOREIGN KEY (outbox_id) REFERENCES tf_outbox (outbox_id) ON DELETE CASCADE
) ENGINE = InnoDB;
