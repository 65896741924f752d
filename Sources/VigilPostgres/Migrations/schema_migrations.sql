-- The ledger of applied migrations. It exists before the first of them and outlives the last.
-- Many tools call their ledger so, and share a schema with it: theirs is not touched.
DO $$
BEGIN
  IF to_regclass('schema_migrations') IS NULL THEN
    CREATE TABLE schema_migrations (
      number integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL,
      CONSTRAINT schema_migrations_checksum_is_sha256 CHECK (length(checksum) = 64)
    );
    ALTER TABLE schema_migrations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY vigil_owner ON schema_migrations TO CURRENT_USER USING (TRUE);
  ELSIF NOT EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('schema_migrations') AND attname = 'checksum' AND attnum > 0
  ) THEN
    RAISE EXCEPTION 'the table schema_migrations in the schema % belongs to another tool',
      quote_ident(current_schema())
      USING ERRCODE = 'duplicate_table', HINT = 'migrate a schema of its own (--schema NAME)';
  END IF;
END
$$;
