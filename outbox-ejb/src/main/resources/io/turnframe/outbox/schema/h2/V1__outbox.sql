-- The outbox. The first fourteen columns are the contract other programs may rely on; the rest are this product's own
-- and defaulted, so that an INSERT that does not know them works.
CREATE TABLE IF NOT EXISTS tf_outbox (
    outbox_id         UUID PRIMARY KEY,
    command_id        UUID NOT NULL,
    destination       VARCHAR(200) NOT NULL,
    payload           CHARACTER LARGE OBJECT NOT NULL,
    idempotency_key   VARCHAR(255) NOT NULL,
    status            VARCHAR(20) NOT NULL,
    attempt_count     INTEGER DEFAULT 0 NOT NULL,
    next_attempt_at   TIMESTAMP(6) WITH TIME ZONE,
    created_at        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    completed_at      TIMESTAMP(6) WITH TIME ZONE,
    claim_worker_id   VARCHAR(128),
    claim_taken_at    TIMESTAMP(6) WITH TIME ZONE,
    last_failure      VARCHAR(128),
    remote_ref        VARCHAR(512),
    claim_token       UUID,
    send_started_at   TIMESTAMP(6) WITH TIME ZONE,
    attempts_forgiven INTEGER DEFAULT 0 NOT NULL,
    abandoned_count   INTEGER DEFAULT 0 NOT NULL,
    sends_unmarked    BOOLEAN DEFAULT FALSE NOT NULL,
    promoted_at       TIMESTAMP(6) WITH TIME ZONE,
    -- Where there are no partial indexes: which index a row stands in. 1 ready to be claimed, 2 delayed, else absent.
    readiness         SMALLINT GENERATED ALWAYS AS (
                          CASE WHEN status = 'pending' THEN
                              CASE WHEN next_attempt_at IS NULL OR promoted_at >= next_attempt_at THEN 1 ELSE 2 END
                          END),
    CONSTRAINT tf_outbox_key UNIQUE (destination, idempotency_key),
    CONSTRAINT tf_outbox_status CHECK (status IN ('pending', 'dispatching', 'completed', 'failed', 'outcome_unknown')),
    CONSTRAINT tf_outbox_attempts CHECK (attempt_count >= 0 AND attempts_forgiven >= 0 AND abandoned_count >= 0),
    CONSTRAINT tf_outbox_claim CHECK ((status = 'dispatching') = (claim_worker_id IS NOT NULL AND claim_taken_at IS NOT NULL)),
    CONSTRAINT tf_outbox_completed CHECK ((status IN ('completed', 'failed')) = (completed_at IS NOT NULL))
);

CREATE INDEX IF NOT EXISTS tf_outbox_ready ON tf_outbox (readiness, created_at, outbox_id);
CREATE INDEX IF NOT EXISTS tf_outbox_delayed ON tf_outbox (readiness, next_attempt_at);
CREATE INDEX IF NOT EXISTS tf_outbox_claims ON tf_outbox (claim_taken_at);
CREATE INDEX IF NOT EXISTS tf_outbox_command ON tf_outbox (command_id, created_at, outbox_id);
-- For the purge.
CREATE INDEX IF NOT EXISTS tf_outbox_ended ON tf_outbox (status, completed_at);
