-- What became of each attempt. Rows go with their entry.
CREATE TABLE IF NOT EXISTS tf_outbox_attempt (
    outbox_id  UUID NOT NULL,
    attempt    INTEGER NOT NULL,
    late       BOOLEAN DEFAULT FALSE NOT NULL,
    worker_id  VARCHAR(128) NOT NULL,
    started_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    ended_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    outcome    VARCHAR(20) NOT NULL,
    code       VARCHAR(128),
    remote_ref VARCHAR(512),
    PRIMARY KEY (outbox_id, attempt, late),
    CONSTRAINT tf_outbox_attempt_entry FOREIGN KEY (outbox_id) REFERENCES tf_outbox (outbox_id) ON DELETE CASCADE
);
