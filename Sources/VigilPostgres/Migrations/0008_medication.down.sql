-- A table with the policy vigil_owner is one that Vigil made; any other relation of these names stays.
DO $$
DECLARE
  input text;
BEGIN
  FOREACH input IN ARRAY ARRAY[
    'schedule_adjustments', 'timezone_events', 'dose_history', 'schedules', 'medications'
  ] LOOP
    IF EXISTS (
      SELECT FROM pg_policies
      WHERE schemaname = {{schema_name}} AND tablename = input AND policyname = 'vigil_owner'
    ) THEN
      EXECUTE format('DROP TABLE %I.%I', {{schema_name}}, input);
    ELSIF has_table_privilege(
      to_regclass(format('%I.%I', {{schema_name}}, input)), 'SELECT WITH GRANT OPTION')
    THEN
      EXECUTE format(
        'REVOKE SELECT ON %I.%I FROM vigil_engine, vigil_backfill', {{schema_name}}, input);
    END IF;
  END LOOP;
END
$$;

DROP FUNCTION {{schema}}.dose_details(uuid);
DROP FUNCTION {{schema}}.vigil_shared_schedules();
DROP FUNCTION {{schema}}.vigil_shared_medications(text);
