-- The run lock: advisory locks of a session, and the sessions that hold them.

-- Of advisory locks with the two halves $1 and $2 of a key.
-- name: is_ours :part
pg_locks.locktype = 'advisory' AND pg_locks.objsubid = 2
  AND pg_locks.classid = $1::int4::oid AND pg_locks.objid = $2::int4::oid
  AND pg_locks.database = (
    SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()
  )

-- name: TakeLock :many
SELECT pg_try_advisory_lock($1::int4, $2::int4) AS is_taken

-- name: TakeSharedLock :many
SELECT pg_try_advisory_lock_shared($1::int4, $2::int4) AS is_taken

-- Whether the server process $3 holds the lock.
-- name: FindHeldLock :many
SELECT pg_locks.pid FROM pg_catalog.pg_locks
WHERE {{is_ours}} AND pg_locks.granted AND pg_locks.pid = $3::int4

-- name: ListLockHolders :many
SELECT activity.pid, activity.application_name, host(activity.client_addr)
FROM pg_catalog.pg_locks
JOIN pg_catalog.pg_stat_activity AS activity ON activity.pid = pg_locks.pid
WHERE {{is_ours}} AND pg_locks.granted
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
