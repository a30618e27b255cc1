-- What operators ask. The indexes carry what is counted, so that no row is looked at; and the newest rows come from an
-- index of their own.
DROP INDEX IF EXISTS tf_outbox_ready;
CREATE INDEX tf_outbox_ready ON tf_outbox (readiness, created_at, outbox_id, destination, next_attempt_at);
DROP INDEX IF EXISTS tf_outbox_delayed;
CREATE INDEX tf_outbox_delayed ON tf_outbox (readiness, next_attempt_at, destination);
-- Not in the order of a claim, nor in the reverse: a claim that went by it would walk past all that has ended.
CREATE INDEX IF NOT EXISTS tf_outbox_newest ON tf_outbox (created_at DESC, outbox_id ASC);
