-- The columns of $1, their types, and the form in which their values are read and written.
-- name: ListStoredColumns :many
SELECT name, type, CASE upper(type) WHEN 'INTEGER' THEN 'integer' WHEN 'INT' THEN 'integer' WHEN 'REAL' THEN 'real'
    ELSE 'text' END AS form
FROM pragma_table_info($1) ORDER BY cid

-- name: ListRowsByID :many
SELECT {{values}} FROM {{schema}}.{{table}} WHERE {{column}} IN (SELECT value FROM json_each($1))

-- name: CountRowsByID :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} WHERE {{column}} IN (SELECT value FROM json_each($1))

-- name: RemoveRowsByID :many
DELETE FROM {{schema}}.{{table}} WHERE {{column}} IN (SELECT value FROM json_each($1)) RETURNING {{values}}
