SET LOCAL lock_timeout = '30s';
SET LOCAL client_min_messages = 'warning';

-- What operators change while it runs: a hold, and limits that hold over all nodes. The row '*' is every destination.
CREATE TABLE IF NOT EXISTS tf_outbox_destination (
    destination varchar(200) PRIMARY KEY,
    held        boolean DEFAULT false NOT NULL,
    concurrency integer,
    rate        double precision,
    next_permit timestamptz(6),
    note        varchar(512),
    changed_at  timestamptz(6),
    changed_by  varchar(128),
    CONSTRAINT tf_outbox_destination_limits CHECK (concurrency >= 1 AND rate > 0)
);

-- The ready rows of one destination, for claims that must pass by those of others.
CREATE INDEX IF NOT EXISTS tf_outbox_ready_destination ON tf_outbox (destination, created_at, outbox_id)
    WHERE status = 'pending' AND (next_attempt_at IS NULL OR promoted_at >= next_attempt_at);
