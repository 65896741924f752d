DO $$
DECLARE
  own text;
BEGIN
  FOR own IN
    SELECT tablename FROM pg_policies
    WHERE schemaname = {{schema_name}} AND policyname = 'vigil_eraser' ORDER BY tablename
  LOOP
    EXECUTE format($sql$
      DROP POLICY vigil_eraser ON %1$I.%2$I;
      REVOKE ALL ON %1$I.%2$I FROM vigil_eraser;
    $sql$, {{schema_name}}, own);
  END LOOP;
END
$$;

DROP TABLE {{schema}}.erased_persons;
DROP TABLE {{schema}}.erasure_requests;
