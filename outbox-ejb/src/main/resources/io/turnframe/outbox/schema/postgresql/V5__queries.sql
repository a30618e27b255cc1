-- What operators ask, and how often the table is vacuumed. The indexes carry what is counted, so that no row is looked at;
-- and the newest rows come from an index of their own.
SET LOCAL lock_timeout = '30s';
SET LOCAL client_min_messages = 'warning';

DO $$
DECLARE
    wanted record;
BEGIN
    FOR wanted IN
        SELECT * FROM (VALUES
            ('tf_outbox_ready', '(created_at, outbox_id) INCLUDE (destination, next_attempt_at)',
             $c$status = 'pending' AND (next_attempt_at IS NULL OR promoted_at >= next_attempt_at)$c$),
            ('tf_outbox_delayed', '(next_attempt_at, destination)',
             $c$status = 'pending' AND next_attempt_at IS NOT NULL AND (promoted_at IS NULL OR promoted_at < next_attempt_at)$c$),
            ('tf_outbox_claims', '(claim_taken_at, destination)',
             $c$status = 'dispatching'$c$),
            ('tf_outbox_ended', '(status, completed_at, destination)',
             $c$status IN ('completed', 'failed')$c$)
        ) AS indexes (name, columns, condition)
    LOOP
        -- One that carries the destination was created before, or is that of this script.
        IF NOT EXISTS (
            SELECT FROM pg_index i
            JOIN pg_class c ON c.oid = i.indexrelid
            JOIN pg_attribute a ON a.attrelid = i.indexrelid
            WHERE i.indrelid = 'tf_outbox'::regclass AND i.indisvalid AND c.relname = wanted.name AND a.attname = 'destination'
        ) THEN
            EXECUTE format('DROP INDEX IF EXISTS %I', wanted.name);
            EXECUTE format('CREATE INDEX %I ON tf_outbox %s WHERE %s', wanted.name, wanted.columns, wanted.condition);
        END IF;
    END LOOP;
END $$;

-- Not in the order of a claim, nor in the reverse: a claim that went by it would walk past all that has ended.
CREATE INDEX IF NOT EXISTS tf_outbox_newest ON tf_outbox (created_at DESC, outbox_id ASC);

-- A row leaves about three dead versions behind. By default they stay until they are a fifth of the table, which of a long
-- history is a lot. Whoever has set it otherwise keeps that.
DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_class c, unnest(c.reloptions) AS option
        WHERE c.oid = 'tf_outbox'::regclass AND option LIKE 'autovacuum%'
    ) THEN
        ALTER TABLE tf_outbox SET (
            autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
            autovacuum_vacuum_insert_scale_factor = 0.02,
            autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000);
    END IF;
END $$;
