-- What became of each attempt. Rows go with their entry.
CREATE TABLE IF NOT EXISTS tf_outbox_attempt (
    outbox_id  CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt    INTEGER NOT NULL,
    late       BOOLEAN DEFAULT FALSE NOT NULL,
    worker_id  VARCHAR(128) CHARACTER SET utf8mb4 NOT NULL,
    started_at DATETIME(6) NOT NULL,
    ended_at   DATETIME(6) NOT NULL,
    outcome    VARCHAR(20) CHARACTER SET utf8mb4 NOT NULL,
    code       VARCHAR(128) CHARACTER SET utf8mb4,
    remote_ref VARCHAR(512) CHARACTER SET utf8mb4,
    PRIMARY KEY (outbox_id, attempt, late),
    CONSTRAINT tf_outbox_attempt_entry FOREIGN KEY (outbox_id) REFERENCES tf_outbox (outbox_id) ON DELETE CASCADE
) ENGINE = InnoDB;
