-- A table with the policy vigil_owner is one that Vigil made; any other relation of these names stays.
DO $$
DECLARE
  input text;
BEGIN
  FOREACH input IN ARRAY ARRAY[
    'do_not_disturb', 'person_limits', 'sensitivity_overrides', 'check_in_plans', 'check_ins',
    'exercise_sessions', 'wearable_daily_metrics', 'alert_recipient_exclusions', 'family_members', 'user_profiles', 'users'
  ] LOOP
    IF EXISTS (
      SELECT FROM pg_policies
      WHERE schemaname = {{schema_name}} AND tablename = input AND policyname = 'vigil_owner'
    ) THEN
      EXECUTE format('DROP TABLE %I.%I', {{schema_name}}, input);
    END IF;
  END LOOP;
END
$$;

DROP FUNCTION {{schema}}.vigil_visible_users();
DROP FUNCTION {{schema}}.vigil_visible_members();
DROP FUNCTION {{schema}}.vigil_viewer_id();
