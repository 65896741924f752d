-- The columns of $1, their types, and the form in which their values are read and written.
-- name: ListStoredColumns :many
SELECT attname::text, format_type(atttypid, atttypmod), 'text' AS form
FROM pg_catalog.pg_attribute
JOIN pg_catalog.pg_class ON pg_class.oid = attrelid
JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_namespace.nspname = {{schema_name}} AND pg_class.relname = $1 AND pg_class.relkind IN ('r', 'p')
  AND attnum > 0 AND NOT attisdropped
ORDER BY attnum

-- name: ListRowsByID :many
SELECT {{values}} FROM {{schema}}.{{table}} WHERE {{column}} = ANY ($1)

-- name: CountRowsByID :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} WHERE {{column}} = ANY ($1)

-- name: RemoveRowsByID :many
DELETE FROM {{schema}}.{{table}} WHERE {{column}} = ANY ($1) RETURNING {{values}}
