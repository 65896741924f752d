ALTER TABLE batch_checkpoints DROP COLUMN medication_digest;

DROP TABLE trend_insights;
DROP TABLE dose_analytics;
DROP TABLE schedule_versions;

-- A table with a policy of Vigil is one that Vigil made; anything else under these names is not its to
-- drop.
DO $$
DECLARE
  input text;
BEGIN
  FOREACH input IN ARRAY ARRAY[
    'schedule_adjustments', 'timezone_events', 'dose_history', 'schedules', 'medications'
  ] LOOP
    IF EXISTS (
      SELECT FROM pg_policies
      WHERE schemaname = current_schema() AND tablename = input AND policyname = 'vigil_engine'
    ) THEN
      EXECUTE format('DROP TABLE %I', input);
    ELSIF has_table_privilege(to_regclass(quote_ident(input)), 'SELECT WITH GRANT OPTION') THEN
      EXECUTE format('REVOKE SELECT ON %I FROM vigil_engine, vigil_backfill', input);
    END IF;
  END LOOP;
END
$$;

DROP FUNCTION vigil_visible_schedules();
DROP FUNCTION vigil_visible_medications();
