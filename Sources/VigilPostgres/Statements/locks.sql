-- Locks that last: a session holds one in a transaction that it leaves open.
--
-- LOCK TABLE gives such a transaction neither a snapshot nor an id, in these modes, so that VACUUM need not wait for
-- it. Statements that change rows take neither of the modes.

-- Keeps the server from ending a session that does nothing but hold a lock.
-- name: KeepSession :many
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN (
  'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout'
)

-- name: HoldTable :exec
LOCK TABLE {{schema}}.{{lock_table}} IN EXCLUSIVE MODE NOWAIT

-- name: ShareTable :exec
LOCK TABLE {{schema}}.{{lock_table}} IN ROW SHARE MODE NOWAIT

-- The server processes that hold the table $1.
-- name: holders :part
(
  SELECT held.pid FROM pg_catalog.pg_locks AS held
  WHERE held.locktype = 'relation' AND held.granted AND held.mode IN ('ExclusiveLock', 'RowShareLock')
    AND held.database = (
      SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()
    )
    AND held.relation = (SELECT own.oid FROM {{relations}} AS own WHERE own.relname = $1)
)

-- Rows of processes that have ended, also of one that had the number of the present process $2. A process holds the
-- table before it adds its row.
-- name: RemoveEndedLocks :exec
DELETE FROM {{schema}}.{{lock_table}} WHERE process = $2 OR process <> ALL (ARRAY{{holders}})

-- No row where another process has the name $1.
-- name: TakeName :many
INSERT INTO {{schema}}.{{lock_table}} (name, process) VALUES ($1, $2)
ON CONFLICT (name) DO NOTHING
RETURNING process

-- name: FreeName :exec
DELETE FROM {{schema}}.{{lock_table}} WHERE name = $1 AND process = $2

-- The process that holds the name $2.
-- name: FindNameHolder :many
SELECT process FROM {{schema}}.{{lock_table}}
WHERE name = $2 AND process = ANY (ARRAY{{holders}})

-- name: ListLockHolders :many
SELECT activity.pid, activity.application_name, host(activity.client_addr)
FROM pg_catalog.pg_stat_activity AS activity
WHERE activity.pid = ANY (ARRAY{{holders}})
ORDER BY activity.application_name, activity.pid

-- Sessions named $1 that have been in a transaction since before $2 while no run holds the lock ($3 is 0), and
-- those of a run that ended before $2; their name is $4 and the id.
-- name: ListStrandedSessions :many
SELECT activity.pid::text, activity.application_name
FROM pg_catalog.pg_stat_activity AS activity
WHERE activity.datname = current_database() AND activity.pid <> pg_backend_pid()
  AND (
    activity.application_name = $1 AND activity.xact_start < $2 AND $3 = 0
    OR EXISTS (
      SELECT FROM {{schema}}.batch_runs AS run
      WHERE run.finished_at < $2 AND activity.application_name = $4 || run.id::text
    )
  )
ORDER BY activity.pid
