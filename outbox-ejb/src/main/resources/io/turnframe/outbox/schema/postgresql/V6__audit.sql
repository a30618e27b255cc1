SET LOCAL lock_timeout = '30s';
SET LOCAL client_min_messages = 'warning';

-- What operators did. Rows are added and never changed, and stay when their entry is purged.
CREATE TABLE IF NOT EXISTS tf_outbox_audit (
    audit_id    uuid PRIMARY KEY,
    acted_at    timestamptz(6) NOT NULL,
    actor       varchar(128) NOT NULL,
    act         varchar(32) NOT NULL,
    outbox_id   uuid,
    -- The entry's attempt_count at the time.
    attempt     integer,
    destination varchar(200),
    from_status varchar(20),
    to_status   varchar(20),
    note        varchar(512),
    detail      varchar(512)
);

CREATE INDEX IF NOT EXISTS tf_outbox_audit_entry ON tf_outbox_audit (outbox_id, acted_at);
CREATE INDEX IF NOT EXISTS tf_outbox_audit_newest ON tf_outbox_audit (acted_at DESC, audit_id ASC);

-- What needs a person, newest first: the pages of it are not to walk past all that needs none.
CREATE INDEX IF NOT EXISTS tf_outbox_doubt ON tf_outbox (status, created_at DESC, outbox_id ASC)
    WHERE status IN ('failed', 'outcome_unknown');
