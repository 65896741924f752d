-- The roles stay: they are the cluster's, and other schemas and databases may give them rights.

DROP POLICY vigil_engine ON schema_migrations;
REVOKE SELECT ON schema_migrations FROM vigil_engine, vigil_backfill;

-- A table with a policy of Vigil is one that Vigil made; anything else under these names is not
-- its to drop.
DO $$
DECLARE
  input text;
BEGIN
  FOREACH input IN ARRAY ARRAY[
    'exercise_sessions', 'wearable_daily_metrics', 'family_members', 'user_profiles', 'users'
  ] LOOP
    IF EXISTS (
      SELECT FROM pg_policies
      WHERE schemaname = current_schema() AND tablename = input AND policyname = 'vigil_engine'
    ) THEN
      EXECUTE format('DROP TABLE %I', input);
    ELSIF has_table_privilege(
      to_regclass(quote_ident(input)), 'SELECT WITH GRANT OPTION')
    THEN
      EXECUTE format('REVOKE SELECT ON %I FROM vigil_engine, vigil_backfill', input);
    END IF;
  END LOOP;

  IF has_schema_privilege(current_schema(), 'USAGE WITH GRANT OPTION') THEN
    EXECUTE format(
      'REVOKE USAGE ON SCHEMA %I FROM vigil_engine, vigil_backfill, vigil_reader',
      current_schema());
  END IF;
END
$$;

DROP FUNCTION vigil_visible_users();
DROP FUNCTION vigil_visible_members();
DROP FUNCTION vigil_viewer_id();
