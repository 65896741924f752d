-- Old rows, which go once they are in an archive, and come back from it. The tables are those of RetainedTable.
-- {{moment}} is the day or the instant by which a row counts as old; $1 is the first that stays.

-- name: CountOldRows :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} WHERE {{moment}} < $1

-- name: FindOldest :many
SELECT min({{moment}}) AS oldest FROM {{schema}}.{{table}} WHERE {{moment}} < $1

-- What goes is what the archive gets, though others add rows meanwhile.
-- name: RemoveOldRows :many
DELETE FROM {{schema}}.{{table}} WHERE {{moment}} < $1 RETURNING {{values}}

-- Runs that are over, and that nothing refers to any more. The newest of a kind, a mode and a profile stays: it says
-- up to which day that profile has been evaluated.
-- name: ListOldRuns :many
SELECT run.id FROM {{schema}}.batch_runs AS run
WHERE run.started_at < $1 AND run.status IN ('succeeded', 'failed', 'interrupted')
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.run_shards AS part
    WHERE part.run_id = run.id AND part.status IN ('held', 'running')
  )
  AND NOT EXISTS (SELECT 1 FROM {{schema}}.batch_checkpoints AS done WHERE done.run_id = run.id)
  AND NOT EXISTS (SELECT 1 FROM {{schema}}.held_notifications AS held WHERE held.run_id = run.id)
  AND NOT EXISTS (SELECT 1 FROM {{schema}}.notification_queue AS live WHERE live.run_id = run.id)
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.shadow_notification_queue AS shadow WHERE shadow.run_id = run.id
  )
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.pattern_alert_state AS alert
    WHERE alert.run_id = run.id AND alert.episode_status = 'active'
  )
  AND EXISTS (
    SELECT 1 FROM {{schema}}.batch_runs AS later
    WHERE later.kind = run.kind AND later.mode = run.mode AND later.status = 'succeeded'
      AND later.thresholds_digest = run.thresholds_digest AND later.started_at > run.started_at
  )
ORDER BY run.started_at, run.id

-- name: ListIDs :many
SELECT id FROM {{schema}}.{{table}}

-- A row that is there stays as it is.
-- name: InsertRow :exec
INSERT INTO {{schema}}.{{table}} ({{columns}}) VALUES ({{values}}) ON CONFLICT DO NOTHING
