-- The ledger of applied migrations. It exists before the first of them and outlives the last.
CREATE TABLE IF NOT EXISTS {{schema}}.schema_migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL,
  CONSTRAINT schema_migrations_checksum_is_sha256 CHECK (length(checksum) = 64)
) STRICT;
