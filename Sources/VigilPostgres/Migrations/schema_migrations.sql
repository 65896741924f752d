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

    COMMENT ON TABLE {{schema}}.schema_migrations IS
      'Migrations that were applied to this schema. vigil migrate writes it.';
    COMMENT ON COLUMN {{schema}}.schema_migrations.number IS
      'Number of the migration, from 1.';
    COMMENT ON COLUMN {{schema}}.schema_migrations.name IS
      'Name of the migration, such as inputs.';
    COMMENT ON COLUMN {{schema}}.schema_migrations.checksum IS
      'SHA-256 of its SQL, in 64 hexadecimal digits. A migration that was changed since is refused.';
    COMMENT ON COLUMN {{schema}}.schema_migrations.applied_at IS
      'When it was applied.';

    ALTER TABLE {{schema}}.schema_migrations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY vigil_owner ON {{schema}}.schema_migrations TO CURRENT_USER USING (TRUE);
  END IF;
END
$$;
