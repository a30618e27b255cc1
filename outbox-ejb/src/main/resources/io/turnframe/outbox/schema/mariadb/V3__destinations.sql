-- What operators change while it runs: a hold, and limits that hold over all nodes. The row '*' is every destination.
CREATE TABLE IF NOT EXISTS tf_outbox_destination (
    destination VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
    held        BOOLEAN DEFAULT FALSE NOT NULL,
    concurrency INTEGER,
    rate        DOUBLE,
    next_permit DATETIME(6),
    note        VARCHAR(512) CHARACTER SET utf8mb4,
    changed_at  DATETIME(6),
    changed_by  VARCHAR(128) CHARACTER SET utf8mb4,
    CONSTRAINT tf_outbox_destination_limits CHECK (concurrency >= 1 AND rate > 0)
) ENGINE = InnoDB;

-- The ready rows of one destination, for claims that must pass by those of others.
CREATE INDEX IF NOT EXISTS tf_outbox_ready_destination ON tf_outbox (readiness, destination, created_at, outbox_id);
