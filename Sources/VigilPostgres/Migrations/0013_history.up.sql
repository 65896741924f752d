-- Copies of metric rows, which spare a night to read again what it knows, and digests, which spare it to judge it again.

-- MARK: Tables

CREATE TABLE {{schema}}.metric_history (
  user_id uuid PRIMARY KEY,
  first_day date NOT NULL,
  last_day date NOT NULL,
  layout text NOT NULL,
  rows bytea NOT NULL,
  CONSTRAINT metric_history_days_in_order CHECK (first_day <= last_day)
);
-- Mostly packed as tightly as it gets.
ALTER TABLE {{schema}}.metric_history ALTER COLUMN rows SET STORAGE EXTERNAL;

COMMENT ON TABLE {{schema}}.metric_history IS
  'Copies of rows of wearable_daily_metrics, from which nights read the days that have not changed. Made by nights, from '
  'the rows; nothing is lost where it is emptied.';
COMMENT ON COLUMN {{schema}}.metric_history.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.metric_history.first_day IS
  'The first day whose rows it has.';
COMMENT ON COLUMN {{schema}}.metric_history.last_day IS
  'The last day whose rows it has.';
COMMENT ON COLUMN {{schema}}.metric_history.layout IS
  'The version of the form of rows, and its columns.';
COMMENT ON COLUMN {{schema}}.metric_history.rows IS
  'The rows, packed.';

CREATE TABLE {{schema}}.metric_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  persons uuid[],
  first_days date[],
  last_days date[]
);

COMMENT ON TABLE {{schema}}.metric_changes IS
  'PostgreSQL only. Changes of wearable_daily_metrics since the last night, a row for each statement. Triggers write it; '
  'a night removes the copies of changed days, and these rows.';
COMMENT ON COLUMN {{schema}}.metric_changes.id IS
  'The change.';
COMMENT ON COLUMN {{schema}}.metric_changes.persons IS
  'The persons whose rows changed. NULL for all.';
COMMENT ON COLUMN {{schema}}.metric_changes.first_days IS
  'By person, the first day that changed.';
COMMENT ON COLUMN {{schema}}.metric_changes.last_days IS
  'By person, the last day that changed.';

CREATE TABLE {{schema}}.history_state (
  is_only boolean PRIMARY KEY DEFAULT TRUE,
  is_kept boolean NOT NULL,
  generation bigint NOT NULL,
  last_day date NOT NULL,
  CONSTRAINT history_state_is_one_row CHECK (is_only)
);

COMMENT ON TABLE {{schema}}.history_state IS
  'At most one row, about metric_history as a whole.';
COMMENT ON COLUMN {{schema}}.history_state.is_only IS
  'Always true.';
COMMENT ON COLUMN {{schema}}.history_state.is_kept IS
  'PostgreSQL only. Whether triggers note changes. The first night that keeps copies sets it.';
COMMENT ON COLUMN {{schema}}.history_state.generation IS
  'Goes up each time that a night takes changes into account: who has read before that stores no copies.';
COMMENT ON COLUMN {{schema}}.history_state.last_day IS
  'No copy has later days. SQLite looks for copies of changed rows up to this day only.';

CREATE TABLE {{schema}}.calm_digests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  metric_date date NOT NULL,
  digests bytea NOT NULL
);
CREATE INDEX calm_digests_by_date ON {{schema}}.calm_digests (metric_date);

COMMENT ON TABLE {{schema}}.calm_digests IS
  'What nights have seen of persons, as digests without ids, with the series in which they found nothing: where the next '
  'night sees the same, it judges the new day of these alone. Rows of nights before are removed.';
COMMENT ON COLUMN {{schema}}.calm_digests.id IS
  'The batch.';
COMMENT ON COLUMN {{schema}}.calm_digests.metric_date IS
  'The evaluated day.';
COMMENT ON COLUMN {{schema}}.calm_digests.digests IS
  'Ten bytes a person: a digest of eight, and a bit for each series without an episode.';

-- MARK: Changes

CREATE FUNCTION {{schema}}.vigil_note_metric_changes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- A transaction with a snapshot of its own may not see that copies are kept since.
  IF current_setting('transaction_isolation') = 'read committed'
    AND NOT EXISTS (SELECT FROM {{schema}}.history_state WHERE is_kept)
  THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO {{schema}}.metric_changes (persons) VALUES (NULL);
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO {{schema}}.metric_changes (persons, first_days, last_days)
    SELECT array_agg(user_id), array_agg(first_day), array_agg(last_day)
    FROM (
      SELECT user_id, min(metric_date) AS first_day, max(metric_date) AS last_day
      FROM (
        SELECT user_id, metric_date FROM changed
        UNION ALL
        SELECT user_id, metric_date FROM replaced
      ) AS touched
      GROUP BY user_id
    ) AS own
    HAVING count(*) > 0;
  ELSE
    INSERT INTO {{schema}}.metric_changes (persons, first_days, last_days)
    SELECT array_agg(user_id), array_agg(first_day), array_agg(last_day)
    FROM (
      SELECT user_id, min(metric_date) AS first_day, max(metric_date) AS last_day
      FROM changed GROUP BY user_id
    ) AS own
    HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_note_metric_changes() FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_note_metric_changes() IS
  'Notes in metric_changes whose rows of wearable_daily_metrics a statement has changed.';

-- A view, a table that is split, and a table of others or with other types have no such triggers: their rows are always read.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_class
    JOIN pg_attribute AS person ON person.attrelid = pg_class.oid AND person.attname = 'user_id'
    JOIN pg_attribute AS day ON day.attrelid = pg_class.oid AND day.attname = 'metric_date'
    WHERE pg_class.oid = to_regclass(format('%I.wearable_daily_metrics', {{schema_name}})) AND relkind = 'r'
      AND pg_has_role(relowner, 'MEMBER')
      AND person.atttypid = 'uuid'::regtype AND day.atttypid = 'date'::regtype
  ) THEN
    CREATE TRIGGER vigil_history_insert AFTER INSERT ON {{schema}}.wearable_daily_metrics
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_note_metric_changes();
    CREATE TRIGGER vigil_history_update AFTER UPDATE ON {{schema}}.wearable_daily_metrics
    REFERENCING OLD TABLE AS replaced NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_note_metric_changes();
    CREATE TRIGGER vigil_history_delete AFTER DELETE ON {{schema}}.wearable_daily_metrics
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_note_metric_changes();
    CREATE TRIGGER vigil_history_truncate AFTER TRUNCATE ON {{schema}}.wearable_daily_metrics
    FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_note_metric_changes();
  END IF;
  IF EXISTS (
    SELECT FROM pg_class
    WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
  ) THEN
    ALTER TABLE {{schema}}.metric_history
      ADD CONSTRAINT metric_history_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
  END IF;
END
$$;

-- The triggers must see each change from the first copy on: the lock waits for no one who is writing, and keeps others
-- from it until the transaction ends.
CREATE FUNCTION {{schema}}.vigil_keep_history() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (
    SELECT count(*) FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = {{schema_name}} AND relname = 'wearable_daily_metrics' AND relkind = 'r'
      AND tgenabled IN ('O', 'A') AND tgname IN (
        'vigil_history_insert', 'vigil_history_update', 'vigil_history_delete', 'vigil_history_truncate'
      )
  ) < 4 THEN
    UPDATE {{schema}}.history_state SET is_kept = FALSE, generation = generation + 1 WHERE is_kept;
    RETURN FALSE;
  END IF;
  IF EXISTS (SELECT FROM {{schema}}.history_state WHERE is_kept) THEN RETURN TRUE; END IF;
  BEGIN
    LOCK TABLE {{schema}}.wearable_daily_metrics IN SHARE MODE NOWAIT;
  EXCEPTION WHEN lock_not_available THEN RETURN FALSE;
  END;
  DELETE FROM {{schema}}.metric_history;
  INSERT INTO {{schema}}.history_state AS state (is_kept, generation, last_day) VALUES (TRUE, 1, DATE '0001-01-01')
  ON CONFLICT (is_only) DO UPDATE SET is_kept = TRUE, generation = state.generation + 1;
  RETURN TRUE;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_keep_history() FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_keep_history() IS
  'Whether copies of metric rows can be trusted: the triggers that note changes are there, and note them.';

-- MARK: Rights

ALTER TABLE {{schema}}.metric_history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.metric_history TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.metric_history TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.metric_history TO vigil_eraser USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.metric_history TO vigil_engine;
GRANT SELECT, DELETE ON {{schema}}.metric_history TO vigil_eraser;

ALTER TABLE {{schema}}.metric_changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.metric_changes TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.metric_changes TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.metric_changes TO vigil_eraser USING (TRUE);
GRANT SELECT, DELETE ON {{schema}}.metric_changes TO vigil_engine, vigil_eraser;

ALTER TABLE {{schema}}.history_state ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.history_state TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.history_state TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.history_state TO vigil_eraser USING (TRUE);
GRANT SELECT ON {{schema}}.history_state TO vigil_engine, vigil_eraser;
GRANT UPDATE (generation) ON {{schema}}.history_state TO vigil_engine, vigil_eraser;
GRANT UPDATE (last_day) ON {{schema}}.history_state TO vigil_engine;
GRANT EXECUTE ON FUNCTION {{schema}}.vigil_keep_history() TO vigil_engine;

ALTER TABLE {{schema}}.calm_digests ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.calm_digests TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.calm_digests TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.calm_digests FOR SELECT TO vigil_eraser USING (TRUE);
GRANT SELECT, INSERT, DELETE ON {{schema}}.calm_digests TO vigil_engine;
GRANT SELECT ON {{schema}}.calm_digests TO vigil_eraser;
