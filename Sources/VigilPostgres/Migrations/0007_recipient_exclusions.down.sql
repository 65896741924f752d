-- A table with a policy of Vigil is one that Vigil made; anything else under this name is not its to
-- drop.
DO $$
DECLARE
  input constant text := 'alert_recipient_exclusions';
BEGIN
  IF EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = current_schema() AND tablename = input AND policyname = 'vigil_engine'
  ) THEN
    EXECUTE format('DROP TABLE %I', input);
  ELSIF has_table_privilege(to_regclass(quote_ident(input)), 'SELECT WITH GRANT OPTION') THEN
    EXECUTE format('REVOKE SELECT ON %I FROM vigil_engine, vigil_backfill', input);
  END IF;
END
$$;
