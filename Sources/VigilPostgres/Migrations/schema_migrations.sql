-- The ledger of applied migrations. It exists before the first of them and outlives the last.
-- In a block, because CREATE POLICY knows no IF NOT EXISTS.
DO $$
BEGIN
  IF to_regclass(format('%I.schema_migrations', {{schema_name}})) IS NULL THEN
    CREATE TABLE {{schema}}.schema_migrations (
      number integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL,
      CONSTRAINT schema_migrations_checksum_is_sha256 CHECK (length(checksum) = 64)
    );
    ALTER TABLE {{schema}}.schema_migrations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY vigil_owner ON {{schema}}.schema_migrations TO CURRENT_USER USING (TRUE);
  END IF;
END
$$;
