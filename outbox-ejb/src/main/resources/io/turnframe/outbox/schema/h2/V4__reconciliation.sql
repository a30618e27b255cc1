-- Since when an entry's outcome is unknown, and how far asking its remote has come. All absent, or 0, in any other status.
ALTER TABLE tf_outbox ADD COLUMN IF NOT EXISTS unknown_since TIMESTAMP(6) WITH TIME ZONE;
-- The attempt_count that unknown_since belongs to: a program that claims the row without knowing these columns leaves
-- them behind, and this tells that they are stale.
ALTER TABLE tf_outbox ADD COLUMN IF NOT EXISTS unknown_attempt INTEGER;
ALTER TABLE tf_outbox ADD COLUMN IF NOT EXISTS reconcile_count INTEGER DEFAULT 0 NOT NULL;
-- When the remote is asked next; absent: at once. While it is being asked: when the question counts as abandoned.
ALTER TABLE tf_outbox ADD COLUMN IF NOT EXISTS reconcile_at TIMESTAMP(6) WITH TIME ZONE;
-- Who is asking.
ALTER TABLE tf_outbox ADD COLUMN IF NOT EXISTS reconcile_worker_id VARCHAR(128);

CREATE INDEX IF NOT EXISTS tf_outbox_unknown ON tf_outbox (status, destination, reconcile_at);

-- What reconcilers answered, where that settled the entry. Rows go with their entry.
CREATE TABLE IF NOT EXISTS tf_outbox_reconciliation (
    outbox_id   UUID NOT NULL,
    attempt     INTEGER NOT NULL,
    question    INTEGER NOT NULL,
    worker_id   VARCHAR(128) NOT NULL,
    asked_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    answered_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    answer      VARCHAR(20) NOT NULL,
    code        VARCHAR(128),
    remote_ref  VARCHAR(512),
    PRIMARY KEY (outbox_id, attempt, question),
    CONSTRAINT tf_outbox_reconciliation_entry FOREIGN KEY (outbox_id) REFERENCES tf_outbox (outbox_id) ON DELETE CASCADE
);
