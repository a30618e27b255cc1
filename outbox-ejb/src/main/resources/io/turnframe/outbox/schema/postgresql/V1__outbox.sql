-- The outbox. The first fourteen columns are the contract other programs may rely on; the rest are this product's own
-- and defaulted, so that an INSERT that does not know them works.
CREATE TABLE IF NOT EXISTS tf_outbox (
    outbox_id         uuid PRIMARY KEY,
    command_id        uuid NOT NULL,
    destination       varchar(200) NOT NULL,
    payload           text NOT NULL,
    idempotency_key   varchar(255) NOT NULL,
    status            varchar(20) NOT NULL,
    attempt_count     integer DEFAULT 0 NOT NULL,
    next_attempt_at   timestamptz(6),
    created_at        timestamptz(6) NOT NULL,
    completed_at      timestamptz(6),
    claim_worker_id   varchar(128),
    claim_taken_at    timestamptz(6),
    last_failure      varchar(128),
    remote_ref        varchar(512),
    claim_token       uuid,
    send_started_at   timestamptz(6),
    attempts_forgiven integer DEFAULT 0 NOT NULL,
    abandoned_count   integer DEFAULT 0 NOT NULL,
    promoted_at       timestamptz(6),
    CONSTRAINT tf_outbox_key UNIQUE (destination, idempotency_key),
    CONSTRAINT tf_outbox_status CHECK (status IN ('pending', 'dispatching', 'completed', 'failed', 'outcome_unknown')),
    CONSTRAINT tf_outbox_attempts CHECK (attempt_count >= 0 AND attempts_forgiven >= 0 AND abandoned_count >= 0),
    CONSTRAINT tf_outbox_claim CHECK ((status = 'dispatching') = (claim_worker_id IS NOT NULL AND claim_taken_at IS NOT NULL)),
    CONSTRAINT tf_outbox_completed CHECK ((status IN ('completed', 'failed')) = (completed_at IS NOT NULL))
);

-- Ready rows in the order of the claim; delayed rows by the time they come due. A row is in exactly one of the two.
CREATE INDEX IF NOT EXISTS tf_outbox_ready ON tf_outbox (created_at, outbox_id)
    WHERE status = 'pending' AND (next_attempt_at IS NULL OR promoted_at >= next_attempt_at);
CREATE INDEX IF NOT EXISTS tf_outbox_delayed ON tf_outbox (next_attempt_at)
    WHERE status = 'pending' AND next_attempt_at IS NOT NULL AND (promoted_at IS NULL OR promoted_at < next_attempt_at);
CREATE INDEX IF NOT EXISTS tf_outbox_claims ON tf_outbox (claim_taken_at) WHERE status = 'dispatching';
CREATE INDEX IF NOT EXISTS tf_outbox_command ON tf_outbox (command_id, created_at, outbox_id);
