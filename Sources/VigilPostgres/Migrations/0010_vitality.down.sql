DROP FUNCTION {{schema}}.family_insights(uuid, uuid, date, date);

DROP TABLE {{schema}}.trend_coverage;
DROP TABLE {{schema}}.trend_insights;

-- A table with the policy vigil_owner is one that Vigil made; any other relation of this name stays.
DO $$
DECLARE
  input constant text := 'vitality_scores';
  privilege text;
BEGIN
  IF EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = {{schema_name}} AND tablename = input AND policyname = 'vigil_owner'
  ) THEN
    EXECUTE format('DROP TABLE %I.%I', {{schema_name}}, input);
    RETURN;
  END IF;
  FOREACH privilege IN ARRAY ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] LOOP
    IF has_table_privilege(
      to_regclass(format('%I.%I', {{schema_name}}, input)), privilege || ' WITH GRANT OPTION')
    THEN
      EXECUTE format(
        'REVOKE %s ON %I.%I FROM vigil_engine, vigil_backfill', privilege, {{schema_name}}, input);
    END IF;
  END LOOP;
END
$$;
