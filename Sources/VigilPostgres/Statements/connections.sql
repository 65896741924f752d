-- Sessions, and what a session asks of the schema before it reads or writes.

-- Names that say no schema mean the server's own. A function of any user that fits its arguments better than the
-- server's would be called otherwise, wherever in the path its schema stands. SET is a statement of its own
-- because no name of it is looked for, and the next one's are.
--
-- The server finds out about a machine that is gone within two minutes, not two hours; what waits for rows that
-- such a session has locked waits no longer than SQLite would.
-- name: SetUpSession :many
SET search_path = pg_catalog, pg_temp;
SELECT set_config('TimeZone', 'UTC', false),
  set_config('jit', 'off', false),
  set_config('client_min_messages', 'error', false),
  set_config('standard_conforming_strings', 'on', false),
  set_config('idle_in_transaction_session_timeout', '0', false),
  set_config('lock_timeout', CASE current_setting('lock_timeout')
    WHEN '0' THEN '60s' ELSE current_setting('lock_timeout') END, false),
  set_config('tcp_keepalives_idle', '60', false),
  set_config('tcp_keepalives_interval', '10', false),
  set_config('tcp_keepalives_count', '6', false)

-- What the session is for, as other sessions see it.
-- name: NameSession :many
SELECT set_config('application_name', $1, false)

-- name: NameTransaction :many
SELECT set_config('application_name', $1, true)

-- The person for whom the transaction reads.
-- name: SetViewer :many
SELECT set_config('app.current_user_id', $1, true)

-- name: FindServerProcess :many
SELECT pg_backend_pid() AS process

-- name: ExportSnapshot :many
SELECT pg_export_snapshot() AS snapshot

-- A mark that only the same server process knows.
-- name: SetProbe :many
SELECT set_config('vigil.probe', $1, false)

-- name: ReadProbe :many
SELECT current_setting('vigil.probe', true) AS probe

-- One at a time for each schema.
-- name: LockRuns :exec
LOCK TABLE {{schema}}.change_lock IN EXCLUSIVE MODE

-- Evaluations of single persons, and batches of runs, of which several may be written at once.
-- name: LockPersons :exec
LOCK TABLE {{schema}}.settlement_lock IN EXCLUSIVE MODE

-- name: LockPersonsShared :exec
LOCK TABLE {{schema}}.settlement_lock IN ROW SHARE MODE

-- Two migrations at once would both find the same one pending.
-- name: LockMigrations :exec
LOCK TABLE {{schema}}.schema_migrations IN SHARE ROW EXCLUSIVE MODE

-- name: FindSchema :many
SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname = {{schema_name}}

-- name: CreateSchema :exec
CREATE SCHEMA IF NOT EXISTS {{schema}}

-- The columns of the table or view $1 and their types, in the table's order.
-- name: ListColumns :many
SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_catalog.pg_attribute
WHERE attrelid = (SELECT own.oid FROM {{relations}} AS own WHERE own.relname = $1)
  AND attnum > 0 AND NOT attisdropped
ORDER BY attnum

-- The kind of the table or view $1, as pg_class has it.
-- name: FindKind :many
SELECT own.relkind::text FROM {{relations}} AS own WHERE own.relname = $1

-- What the trigger of notification_queue notifies.
-- name: ListenToQueue :exec
LISTEN vigil_queue
