-- The roles stay: they belong to the server, and other schemas and databases may grant them rights.

DO $$
DECLARE
  input text;
BEGIN
  FOREACH input IN ARRAY ARRAY[
    'users', 'user_profiles', 'family_members', 'alert_recipient_exclusions',
    'wearable_daily_metrics', 'exercise_sessions', 'check_ins', 'check_in_plans',
    'sensitivity_overrides', 'person_limits', 'do_not_disturb'
  ] LOOP
    IF EXISTS (
      SELECT FROM pg_policies
      WHERE schemaname = {{schema_name}} AND tablename = input AND policyname = 'vigil_owner'
    ) THEN
      EXECUTE format($sql$
        DROP POLICY vigil_engine ON %1$I.%2$I;
        DROP POLICY vigil_reader ON %1$I.%2$I;
        DROP POLICY IF EXISTS vigil_sender ON %1$I.%2$I;
        REVOKE SELECT ON %1$I.%2$I FROM vigil_engine, vigil_backfill, vigil_reader, vigil_sender;
      $sql$, {{schema_name}}, input);
    ELSIF has_table_privilege(
      to_regclass(format('%I.%I', {{schema_name}}, input)), 'SELECT WITH GRANT OPTION')
    THEN
      EXECUTE format(
        'REVOKE SELECT ON %I.%I FROM vigil_engine, vigil_backfill, vigil_sender', {{schema_name}}, input);
    END IF;
  END LOOP;
END
$$;

DROP FUNCTION {{schema}}.person_details();
DROP FUNCTION {{schema}}.vigil_shared_persons(text);
DROP TABLE {{schema}}.sharing_grants;

REVOKE EXECUTE ON FUNCTION
  {{schema}}.vigil_viewer_id(), {{schema}}.vigil_visible_members(), {{schema}}.vigil_visible_users()
FROM vigil_reader;

DROP POLICY vigil_engine ON {{schema}}.schema_migrations;
REVOKE SELECT ON {{schema}}.schema_migrations FROM vigil_engine, vigil_backfill, vigil_sender;

DO $$
BEGIN
  IF has_schema_privilege({{schema_name}}, 'USAGE WITH GRANT OPTION') THEN
    REVOKE USAGE ON SCHEMA {{schema}}
    FROM vigil_engine, vigil_backfill, vigil_reader, vigil_sender, vigil_eraser, vigil_receiver;
  END IF;
END
$$;
