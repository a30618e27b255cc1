SET LOCAL lock_timeout = '30s';
SET LOCAL client_min_messages = 'warning';

-- What became of each attempt. Rows go with their entry.
CREATE TABLE IF NOT EXISTS tf_outbox_attempt (
    outbox_id  uuid NOT NULL,
    attempt    integer NOT NULL,
    late       boolean DEFAULT FALSE NOT NULL,
    worker_id  varchar(128) NOT NULL,
    started_at timestamptz(6) NOT NULL,
    ended_at   timestamptz(6) NOT NULL,
    outcome    varchar(20) NOT NULL,
    code       varchar(128),
    remote_ref varchar(512),
    PRIMARY KEY (outbox_id, attempt, late),
    CONSTRAINT tf_outbox_attempt_entry FOREIGN KEY (outbox_id) REFERENCES tf_outbox (outbox_id) ON DELETE CASCADE
);
