-- The outbox. The first fourteen columns are the contract other programs may rely on; the rest are this product's own
-- and defaulted, so that an INSERT that does not know them works.
--
-- The script tolerates what is there: it may run again, and a tf_outbox that another program created, with rows in it,
-- is brought to this shape in place. Its columns keep their types; its payload may be jsonb.

-- Rather fail and be repeated than wait for a long transaction with every other statement queued up behind.
SET LOCAL lock_timeout = '30s';
-- What exists already is not worth a line each.
SET LOCAL client_min_messages = 'warning';

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
    remote_ref        varchar(512)
);

ALTER TABLE tf_outbox
    ADD COLUMN IF NOT EXISTS claim_token       uuid,
    ADD COLUMN IF NOT EXISTS send_started_at   timestamptz(6),
    ADD COLUMN IF NOT EXISTS attempts_forgiven integer DEFAULT 0 NOT NULL,
    ADD COLUMN IF NOT EXISTS abandoned_count   integer DEFAULT 0 NOT NULL,
    ADD COLUMN IF NOT EXISTS sends_unmarked    boolean DEFAULT false NOT NULL,
    ADD COLUMN IF NOT EXISTS promoted_at       timestamptz(6);

-- Rows that are there already are not held to the checks, which would fail for what somebody once did by hand.
DO $$
DECLARE
    outbox CONSTANT regclass := 'tf_outbox';
    unchecked CONSTANT text := CASE WHEN EXISTS (SELECT FROM tf_outbox) THEN 'NOT VALID' ELSE '' END;
    rule record;
BEGIN
    FOR rule IN
        SELECT * FROM (VALUES
            ('tf_outbox_status', $c$status IN ('pending', 'dispatching', 'completed', 'failed', 'outcome_unknown')$c$),
            ('tf_outbox_attempts', $c$attempt_count >= 0 AND attempts_forgiven >= 0 AND abandoned_count >= 0$c$),
            ('tf_outbox_claim', $c$(status = 'dispatching') = (claim_worker_id IS NOT NULL AND claim_taken_at IS NOT NULL)$c$),
            ('tf_outbox_completed', $c$(status IN ('completed', 'failed')) = (completed_at IS NOT NULL)$c$)
        ) AS rules (name, condition)
    LOOP
        IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = outbox AND conname = rule.name) THEN
            EXECUTE format('ALTER TABLE tf_outbox ADD CONSTRAINT %I CHECK (%s) %s', rule.name, rule.condition, unchecked);
        END IF;
    END LOOP;

    -- Under whatever name: it must be there, and once is enough.
    IF NOT EXISTS (
        SELECT FROM pg_index i
        WHERE i.indrelid = outbox AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
          AND ARRAY['destination', 'idempotency_key'] = ARRAY(
              SELECT a.attname::text FROM pg_attribute a
              WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) ORDER BY 1)
    ) THEN
        ALTER TABLE tf_outbox ADD CONSTRAINT tf_outbox_key UNIQUE (destination, idempotency_key);
    END IF;
END $$;

-- Ready rows in the order of the claim; delayed rows by the time they come due. A row is in exactly one of the two.
CREATE INDEX IF NOT EXISTS tf_outbox_ready ON tf_outbox (created_at, outbox_id)
    WHERE status = 'pending' AND (next_attempt_at IS NULL OR promoted_at >= next_attempt_at);
CREATE INDEX IF NOT EXISTS tf_outbox_delayed ON tf_outbox (next_attempt_at)
    WHERE status = 'pending' AND next_attempt_at IS NOT NULL AND (promoted_at IS NULL OR promoted_at < next_attempt_at);
CREATE INDEX IF NOT EXISTS tf_outbox_claims ON tf_outbox (claim_taken_at) WHERE status = 'dispatching';
CREATE INDEX IF NOT EXISTS tf_outbox_command ON tf_outbox (command_id, created_at, outbox_id);
-- For the purge.
CREATE INDEX IF NOT EXISTS tf_outbox_ended ON tf_outbox (status, completed_at) WHERE status IN ('completed', 'failed');
