-- The schema, the damage and the size of the file.

-- name: ListViews :many
SELECT name FROM {{schema}}.sqlite_schema WHERE type = 'view'

-- Those with rows that anybody misses: a ledger of migrations is written anew.
-- name: ListTables :many
SELECT name FROM {{schema}}.sqlite_schema
WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'

-- 0 for a table without a row, else 1.
-- name: CountFirstRows :many
SELECT count(*) FROM (SELECT 1 FROM {{schema}}.{{table}} LIMIT 1)

-- The statements that have made the schema.
-- name: ListSchemaObjects :many
SELECT type, name, tbl_name, sql FROM {{schema}}.sqlite_schema WHERE sql IS NOT NULL

-- name: CountSchemaObjects :many
SELECT count(*) FROM {{schema}}.sqlite_schema

-- Rows that refer to rows which are not there.
-- name: CountBrokenReferences :many
SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2

-- The bytes that a copy needs.
-- name: FindUsedBytes :many
SELECT (page_count - freelist_count) * page_size
FROM pragma_page_count, pragma_freelist_count, pragma_page_size

-- name: CopyDatabase :exec
VACUUM INTO $1

-- Leaves out the pages that are not in use.
-- name: RewriteFile :exec
VACUUM
