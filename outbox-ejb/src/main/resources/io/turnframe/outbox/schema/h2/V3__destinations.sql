-- What operators change while it runs: a hold, and limits that hold over all nodes. The row '*' is every destination.
CREATE TABLE IF NOT EXISTS tf_outbox_destination (
    destination VARCHAR(200) PRIMARY KEY,
    held        BOOLEAN DEFAULT FALSE NOT NULL,
    concurrency INTEGER,
    rate        DOUBLE PRECISION,
    next_permit TIMESTAMP(6) WITH TIME ZONE,
    note        VARCHAR(512),
    changed_at  TIMESTAMP(6) WITH TIME ZONE,
    changed_by  VARCHAR(128),
    CONSTRAINT tf_outbox_destination_limits CHECK (concurrency >= 1 AND rate > 0)
);

-- The ready rows of one destination, for claims that must pass by those of others.
CREATE INDEX IF NOT EXISTS tf_outbox_ready_destination ON tf_outbox (readiness, destination, created_at, outbox_id);
