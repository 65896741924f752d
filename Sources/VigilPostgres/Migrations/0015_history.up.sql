-- Copies of rows, which spare a night to read again what it knows, and digests, which spare it to judge it again.

-- MARK: Tables

CREATE TABLE {{schema}}.metric_history (
  user_id uuid NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  layout bigint NOT NULL,
  rows bytea NOT NULL,
  PRIMARY KEY (user_id, first_day),
  CONSTRAINT metric_history_days_in_order CHECK (first_day <= last_day)
);

COMMENT ON TABLE {{schema}}.metric_history IS
  'Copies of rows of wearable_daily_metrics, 28 days of a person each, from which nights read the days that have not '
  'changed. Made by nights, from the rows; nothing is lost where it is emptied.';
COMMENT ON COLUMN {{schema}}.metric_history.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.metric_history.first_day IS
  'The first day whose rows it has.';
COMMENT ON COLUMN {{schema}}.metric_history.last_day IS
  'The last day whose rows it has.';
COMMENT ON COLUMN {{schema}}.metric_history.layout IS
  'A digest of the version of the form of rows, and of their columns.';
COMMENT ON COLUMN {{schema}}.metric_history.rows IS
  'The rows, packed.';

CREATE TABLE {{schema}}.medication_history (
  medication_id uuid NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  layout bigint NOT NULL,
  rows bytea NOT NULL,
  PRIMARY KEY (medication_id, first_day),
  CONSTRAINT medication_history_days_in_order CHECK (first_day <= last_day)
);
-- The doses of a month are often more than the 2 kB from which on PostgreSQL puts a value elsewhere, and read together.
ALTER TABLE {{schema}}.medication_history
  SET (toast_tuple_target = 8160),
  ALTER COLUMN rows SET STORAGE EXTERNAL;

COMMENT ON TABLE {{schema}}.medication_history IS
  'Copies of rows of dose_history, 28 days of a medication each, from which nights read the doses that have not changed. '
  'Made by nights, from the rows; nothing is lost where it is emptied.';
COMMENT ON COLUMN {{schema}}.medication_history.medication_id IS
  'The medication.';
COMMENT ON COLUMN {{schema}}.medication_history.first_day IS
  'The first day of UTC whose doses it has, due or taken.';
COMMENT ON COLUMN {{schema}}.medication_history.last_day IS
  'The last day of UTC whose doses it has.';
COMMENT ON COLUMN {{schema}}.medication_history.layout IS
  'The version of the form of rows.';
COMMENT ON COLUMN {{schema}}.medication_history.rows IS
  'The rows, packed.';

CREATE TABLE {{schema}}.history_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  owners uuid[],
  first_days date[],
  last_days date[],
  CONSTRAINT history_changes_subject_known CHECK (subject IN ('metrics', 'doses'))
);

COMMENT ON TABLE {{schema}}.history_changes IS
  'PostgreSQL only. Changes of rows of which copies are kept, since the last night, a row for each statement. Triggers '
  'write it; a night removes the copies of changed days, and these rows.';
COMMENT ON COLUMN {{schema}}.history_changes.id IS
  'The change.';
COMMENT ON COLUMN {{schema}}.history_changes.subject IS
  'metrics or doses.';
COMMENT ON COLUMN {{schema}}.history_changes.owners IS
  'The persons, or of doses the medications, whose rows changed. NULL for all.';
COMMENT ON COLUMN {{schema}}.history_changes.first_days IS
  'By owner, the first day that changed.';
COMMENT ON COLUMN {{schema}}.history_changes.last_days IS
  'By owner, the last day that changed.';

CREATE TABLE {{schema}}.history_state (
  subject text PRIMARY KEY,
  is_kept boolean NOT NULL,
  generation bigint NOT NULL,
  last_day date NOT NULL,
  CONSTRAINT history_state_subject_known CHECK (subject IN ('metrics', 'doses'))
);

COMMENT ON TABLE {{schema}}.history_state IS
  'A row about metric_history as a whole, and one about medication_history.';
COMMENT ON COLUMN {{schema}}.history_state.subject IS
  'metrics or doses.';
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

-- A view, a table that is split, and a table with other types: their rows are always read.
CREATE FUNCTION {{schema}}.vigil_history_source(kept text) RETURNS regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT pg_class.oid::regclass
  FROM (VALUES
    ('metrics', 'wearable_daily_metrics', '{"user_id": "uuid", "metric_date": "date"}'::jsonb),
    ('doses', 'dose_history', jsonb_build_object(
      'medication_id', 'uuid', 'scheduled_time', 'timestamp with time zone',
      'actual_time', 'timestamp with time zone'))
  ) AS known (subject, source, types)
  JOIN pg_class ON pg_class.oid = to_regclass(format('%I.%I', {{schema_name}}, source)) AND relkind = 'r'
  WHERE subject = kept AND NOT EXISTS (
    SELECT FROM jsonb_each_text(types) AS wanted (attname, type)
    LEFT JOIN pg_attribute ON pg_attribute.attname = wanted.attname AND attrelid = pg_class.oid
    WHERE format_type(atttypid, NULL) IS DISTINCT FROM wanted.type
  )
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_history_source(text) FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_history_source(text) IS
  'The table of metrics or of doses, where its changes can be noted; else NULL.';

-- A statement that writes the table never fails for the sake of copies: where the table has lost a column since, or has
-- ids of another type, all copies are void.
CREATE FUNCTION {{schema}}.vigil_note_metric_changes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  persons uuid[];
  firsts date[];
  lasts date[];
BEGIN
  -- A transaction with a snapshot of its own may not see that copies are kept since.
  IF current_setting('transaction_isolation') = 'read committed'
    AND NOT EXISTS (SELECT FROM {{schema}}.history_state WHERE subject = 'metrics' AND is_kept)
  THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'TRUNCATE' THEN
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        SELECT array_agg(user_id), array_agg(first_day), array_agg(last_day) INTO persons, firsts, lasts
        FROM (
          SELECT user_id, min(metric_date) AS first_day, max(metric_date) AS last_day
          FROM (
            SELECT user_id, metric_date FROM changed
            UNION ALL
            SELECT user_id, metric_date FROM replaced
          ) AS touched
          GROUP BY user_id
        ) AS own;
      ELSE
        SELECT array_agg(user_id), array_agg(first_day), array_agg(last_day) INTO persons, firsts, lasts
        FROM (
          SELECT user_id, min(metric_date) AS first_day, max(metric_date) AS last_day
          FROM changed GROUP BY user_id
        ) AS own;
      END IF;
      IF persons IS NULL THEN RETURN NULL; END IF;
    EXCEPTION WHEN OTHERS THEN
      persons := NULL;
    END;
  END IF;
  INSERT INTO {{schema}}.history_changes (subject, owners, first_days, last_days)
  VALUES ('metrics', persons, firsts, lasts);
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_note_metric_changes() FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_note_metric_changes() IS
  'Notes in history_changes whose rows of wearable_daily_metrics a statement has changed.';

-- A dose was due on one day and taken on another, and is in the copies of both.
CREATE FUNCTION {{schema}}.vigil_note_dose_changes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  medications uuid[];
  firsts date[];
  lasts date[];
BEGIN
  IF current_setting('transaction_isolation') = 'read committed'
    AND NOT EXISTS (SELECT FROM {{schema}}.history_state WHERE subject = 'doses' AND is_kept)
  THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'TRUNCATE' THEN
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        SELECT array_agg(medication_id), array_agg(first_day), array_agg(last_day) INTO medications, firsts, lasts
        FROM (
          SELECT medication_id, (min(least(scheduled_time, actual_time)) AT TIME ZONE 'UTC')::date AS first_day,
            (max(greatest(scheduled_time, actual_time)) AT TIME ZONE 'UTC')::date AS last_day
          FROM (
            SELECT medication_id, scheduled_time, actual_time FROM changed
            UNION ALL
            SELECT medication_id, scheduled_time, actual_time FROM replaced
          ) AS touched
          GROUP BY medication_id
        ) AS own;
      ELSE
        SELECT array_agg(medication_id), array_agg(first_day), array_agg(last_day) INTO medications, firsts, lasts
        FROM (
          SELECT medication_id, (min(least(scheduled_time, actual_time)) AT TIME ZONE 'UTC')::date AS first_day,
            (max(greatest(scheduled_time, actual_time)) AT TIME ZONE 'UTC')::date AS last_day
          FROM changed GROUP BY medication_id
        ) AS own;
      END IF;
      IF medications IS NULL THEN RETURN NULL; END IF;
    EXCEPTION WHEN OTHERS THEN
      medications := NULL;
    END;
  END IF;
  INSERT INTO {{schema}}.history_changes (subject, owners, first_days, last_days)
  VALUES ('doses', medications, firsts, lasts);
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_note_dose_changes() FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_note_dose_changes() IS
  'Notes in history_changes of which medications a statement has changed rows of dose_history.';

-- A table of others has no such triggers.
DO $$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT source, note FROM (VALUES
      ({{schema}}.vigil_history_source('metrics'), 'vigil_note_metric_changes'),
      ({{schema}}.vigil_history_source('doses'), 'vigil_note_dose_changes')
    ) AS subject (source, note)
    JOIN pg_class ON pg_class.oid = source
    WHERE pg_has_role(relowner, 'MEMBER')
  LOOP
    EXECUTE format(
      'CREATE TRIGGER vigil_history_insert AFTER INSERT ON %2$s REFERENCING NEW TABLE AS changed '
      'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.%3$I()', {{schema_name}}, kept.source, kept.note);
    EXECUTE format(
      'CREATE TRIGGER vigil_history_update AFTER UPDATE ON %2$s '
      'REFERENCING OLD TABLE AS replaced NEW TABLE AS changed '
      'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.%3$I()', {{schema_name}}, kept.source, kept.note);
    EXECUTE format(
      'CREATE TRIGGER vigil_history_delete AFTER DELETE ON %2$s REFERENCING OLD TABLE AS changed '
      'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.%3$I()', {{schema_name}}, kept.source, kept.note);
    EXECUTE format(
      'CREATE TRIGGER vigil_history_truncate AFTER TRUNCATE ON %2$s '
      'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.%3$I()', {{schema_name}}, kept.source, kept.note);
  END LOOP;
  FOR kept IN
    SELECT copies, owner, parent
    FROM (VALUES ('metric_history', 'user_id', 'users'), ('medication_history', 'medication_id', 'medications'))
      AS subject (copies, owner, parent)
    WHERE EXISTS (
      SELECT FROM pg_class
      WHERE oid = to_regclass(format('%I.%I', {{schema_name}}, parent)) AND relkind = 'r'
    ) AND EXISTS (
      -- A key of another type, or none, cannot be referred to.
      SELECT FROM pg_index
      JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
      WHERE indrelid = to_regclass(format('%I.%I', {{schema_name}}, parent)) AND indisunique AND indnatts = 1
        AND indpred IS NULL AND attname = 'id' AND atttypid = 'uuid'::regtype
    )
  LOOP
    EXECUTE format(
      'ALTER TABLE %1$I.%2$I ADD CONSTRAINT %5$I FOREIGN KEY (%3$I) REFERENCES %1$I.%4$I (id) ON DELETE CASCADE',
      {{schema_name}}, kept.copies, kept.owner, kept.parent, kept.copies || '_owner');
  END LOOP;
END
$$;

-- The triggers must see each change from the first copy on: the lock waits for no one who is writing, and keeps others
-- from it until the transaction ends.
CREATE FUNCTION {{schema}}.vigil_keep_history(kept text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  source regclass := {{schema}}.vigil_history_source(kept);
BEGIN
  IF (
    SELECT count(*) FROM pg_trigger
    WHERE tgrelid = source AND tgenabled IN ('O', 'A') AND tgname IN (
      'vigil_history_insert', 'vigil_history_update', 'vigil_history_delete', 'vigil_history_truncate'
    )
  ) < 4 THEN
    UPDATE {{schema}}.history_state SET is_kept = FALSE, generation = generation + 1
    WHERE subject = kept AND is_kept;
    RETURN FALSE;
  END IF;
  IF EXISTS (SELECT FROM {{schema}}.history_state WHERE subject = kept AND is_kept) THEN RETURN TRUE; END IF;
  BEGIN
    EXECUTE format('LOCK TABLE %s IN SHARE MODE NOWAIT', source);
  EXCEPTION WHEN lock_not_available THEN RETURN FALSE;
  END;
  IF kept = 'metrics' THEN
    DELETE FROM {{schema}}.metric_history;
  ELSE
    DELETE FROM {{schema}}.medication_history;
  END IF;
  INSERT INTO {{schema}}.history_state AS state (subject, is_kept, generation, last_day)
  VALUES (kept, TRUE, 1, DATE '0001-01-01')
  ON CONFLICT (subject) DO UPDATE SET is_kept = TRUE, generation = state.generation + 1;
  RETURN TRUE;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_keep_history(text) FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_keep_history(text) IS
  'Whether copies of metrics or of doses can be trusted: the triggers that note changes are there, and note them.';

-- MARK: Rights

ALTER TABLE {{schema}}.metric_history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.metric_history TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.metric_history TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.metric_history TO vigil_eraser USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.metric_history TO vigil_engine;
GRANT SELECT, DELETE ON {{schema}}.metric_history TO vigil_eraser;

ALTER TABLE {{schema}}.medication_history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.medication_history TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.medication_history TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.medication_history TO vigil_eraser USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.medication_history TO vigil_engine;
GRANT SELECT, DELETE ON {{schema}}.medication_history TO vigil_eraser;

ALTER TABLE {{schema}}.history_changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.history_changes TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.history_changes TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.history_changes TO vigil_eraser USING (TRUE);
GRANT SELECT, DELETE ON {{schema}}.history_changes TO vigil_engine, vigil_eraser;

ALTER TABLE {{schema}}.history_state ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.history_state TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.history_state TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.history_state TO vigil_eraser USING (TRUE);
GRANT SELECT ON {{schema}}.history_state TO vigil_engine, vigil_eraser;
GRANT UPDATE (generation) ON {{schema}}.history_state TO vigil_engine, vigil_eraser;
GRANT UPDATE (last_day) ON {{schema}}.history_state TO vigil_engine;
GRANT EXECUTE ON FUNCTION {{schema}}.vigil_keep_history(text) TO vigil_engine;

ALTER TABLE {{schema}}.calm_digests ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.calm_digests TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.calm_digests TO vigil_engine USING (TRUE);
CREATE POLICY vigil_eraser ON {{schema}}.calm_digests FOR SELECT TO vigil_eraser USING (TRUE);
GRANT SELECT, INSERT, DELETE ON {{schema}}.calm_digests TO vigil_engine;
GRANT SELECT ON {{schema}}.calm_digests TO vigil_eraser;
