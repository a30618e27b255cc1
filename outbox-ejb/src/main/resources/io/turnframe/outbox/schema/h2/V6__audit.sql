-- What operators did. Rows are added and never changed, and stay when their entry is purged.
CREATE TABLE IF NOT EXISTS tf_outbox_audit (
    audit_id    UUID PRIMARY KEY,
    acted_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    actor       VARCHAR(128) NOT NULL,
    act         VARCHAR(32) NOT NULL,
    outbox_id   UUID,
    -- The entry's attempt_count at the time.
    attempt     INTEGER,
    destination VARCHAR(200),
    from_status VARCHAR(20),
    to_status   VARCHAR(20),
    note        VARCHAR(512),
    detail      VARCHAR(512)
);

CREATE INDEX IF NOT EXISTS tf_outbox_audit_entry ON tf_outbox_audit (outbox_id, acted_at);
CREATE INDEX IF NOT EXISTS tf_outbox_audit_newest ON tf_outbox_audit (acted_at DESC, audit_id ASC);
