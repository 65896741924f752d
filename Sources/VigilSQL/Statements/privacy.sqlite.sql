-- The tables of the file, and who may read them: each process that can open it.

-- Tables and views: their name, whether it is a table, and whether this login may read it.
-- name: ListTables :many
SELECT name, CASE type WHEN 'table' THEN 1 ELSE 0 END AS is_own, 1 AS may_read
FROM {{schema}}.sqlite_schema
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name

-- The columns of $1, the form of their values in JSON, and whether an id can stand in them.
-- name: ListTableColumns :many
SELECT name, CASE WHEN upper(type) IN ('INTEGER', 'REAL') THEN 'number' ELSE 'text' END AS form, 1 AS may_hold
FROM pragma_table_info($1) ORDER BY cid

-- name: MayExportPersons :many
SELECT 1 AS may

-- name: MayErasePersons :many
SELECT 1 AS may
