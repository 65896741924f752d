-- The tables of the schema, and who may read them.

-- name: relations :part
(
  SELECT pg_class.oid, pg_class.relname, pg_class.relkind
  FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pg_class.relnamespace
  WHERE pg_namespace.nspname = {{schema_name}} AND pg_class.relkind IN ('r', 'p', 'v', 'm', 'f')
)

-- Tables and views: their name, whether Vigil made it, and whether this login may read it.
-- name: ListTables :many
SELECT own.relname::text, CASE WHEN EXISTS (
    SELECT FROM pg_catalog.pg_policy WHERE polrelid = own.oid AND polname = 'vigil_owner'
  ) THEN 1 ELSE 0 END AS is_own,
  CASE WHEN has_table_privilege(own.oid, 'SELECT') THEN 1 ELSE 0 END AS may_read
FROM {{relations}} AS own ORDER BY own.relname

-- The columns of $1, the form of their values in JSON, and whether an id can stand in them.
-- name: ListTableColumns :many
SELECT attname::text, CASE
    WHEN typname IN ('json', 'jsonb') THEN 'json'
    WHEN typcategory = 'N' THEN 'number'
    WHEN typcategory = 'B' THEN 'boolean'
    ELSE 'text'
  END AS form,
  CASE WHEN typcategory = 'S' OR typname IN ('uuid', 'json', 'jsonb') THEN 1 ELSE 0 END AS may_hold
FROM {{relations}} AS own
JOIN pg_catalog.pg_attribute ON attrelid = own.oid
JOIN pg_catalog.pg_type ON pg_type.oid = atttypid
WHERE own.relname = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum

-- name: MayExportPersons :many
SELECT CASE WHEN coalesce(bool_and(has_table_privilege(own.oid, 'SELECT')), FALSE) THEN 1 ELSE 0 END AS may
FROM {{relations}} AS own WHERE own.relname IN ('contact_points', 'escalation_log', 'schedule_versions')

-- name: MayErasePersons :many
SELECT CASE WHEN coalesce(bool_and(has_table_privilege(own.oid, 'SELECT') AND has_table_privilege(own.oid, 'DELETE')), FALSE)
  THEN 1 ELSE 0 END AS may
FROM {{relations}} AS own
WHERE own.relname IN ('contact_points', 'erasure_requests', 'escalation_log', 'pattern_alert_state')
