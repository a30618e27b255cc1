SET LOCAL lock_timeout = '30s';
SET LOCAL client_min_messages = 'warning';

-- Since when an entry's outcome is unknown, and how far asking its remote has come. All absent, or 0, in any other status.
-- unknown_attempt is the attempt_count that unknown_since belongs to: a program that claims the row without knowing these
-- columns leaves them behind, and this tells that they are stale. reconcile_at says when the remote is asked next, absent:
-- at once; while it is being asked, by reconcile_worker_id: when the question counts as abandoned.
ALTER TABLE tf_outbox
    ADD COLUMN IF NOT EXISTS unknown_since       timestamptz(6),
    ADD COLUMN IF NOT EXISTS unknown_attempt     integer,
    ADD COLUMN IF NOT EXISTS reconcile_count     integer DEFAULT 0 NOT NULL,
    ADD COLUMN IF NOT EXISTS reconcile_at        timestamptz(6),
    ADD COLUMN IF NOT EXISTS reconcile_worker_id varchar(128);

CREATE INDEX IF NOT EXISTS tf_outbox_unknown ON tf_outbox (destination, reconcile_at) WHERE status = 'outcome_unknown';

-- What reconcilers answered, where that settled the entry. Rows go with their entry.
CREATE TABLE IF NOT EXISTS tf_outbox_reconciliation (
    outbox_id   uuid NOT NULL,
    attempt     integer NOT NULL,
    question    integer NOT NULL,
    worker_id   varchar(128) NOT NULL,
    asked_at    timestamptz(6) NOT NULL,
    answered_at timestamptz(6) NOT NULL,
    answer      varchar(20) NOT NULL,
    code        varchar(128),
    remote_ref  varchar(512),
    PRIMARY KEY (outbox_id, attempt, question),
    CONSTRAINT tf_outbox_reconciliation_entry FOREIGN KEY (outbox_id) REFERENCES tf_outbox (outbox_id) ON DELETE CASCADE
);
