-- What needs a person, newest first: the pages of it are neither to be sorted nor to walk past all that needs none. There
-- are no partial indexes here: a generated column is absent from all other rows, and so unchanged while they are sent.
ALTER TABLE tf_outbox ADD COLUMN IF NOT EXISTS doubt VARCHAR(20)
    GENERATED ALWAYS AS (CASE WHEN status IN ('failed', 'outcome_unknown') THEN status END);
CREATE INDEX IF NOT EXISTS tf_outbox_doubt ON tf_outbox (doubt, created_at DESC, outbox_id ASC);
