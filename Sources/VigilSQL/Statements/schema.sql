-- The migrations that a database has.

-- name: ListMigrations :many
SELECT number, name, checksum, applied_at FROM {{schema}}.schema_migrations

-- name: FindMigration :many
SELECT number FROM {{schema}}.schema_migrations WHERE number = $1

-- name: RecordMigration :exec
INSERT INTO {{schema}}.schema_migrations (number, name, checksum, applied_at)
VALUES ($1, $2, $3, $4)

-- name: CountRows :many
SELECT count(*) AS rows FROM {{schema}}.{{table}}

-- name: ForgetMigration :exec
DELETE FROM {{schema}}.schema_migrations WHERE number = $1
