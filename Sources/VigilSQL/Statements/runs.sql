-- Runs, their shards and the checkpoints of their batches.

-- name: FindRun :many
SELECT {{run_columns}} FROM {{schema}}.batch_runs WHERE id = $1

-- name: ListNewestRuns :many
SELECT {{run_columns}} FROM {{schema}}.batch_runs
ORDER BY started_at DESC, id LIMIT $1

-- name: ListRunningRuns :many
SELECT {{run_columns}} FROM {{schema}}.batch_runs
WHERE status = 'running'
ORDER BY started_at DESC, id

-- Runs of this kind, mode and days.
-- name: ListRunsLike :many
SELECT {{run_columns}} FROM {{schema}}.batch_runs
WHERE kind = $1 AND mode = $2 AND from_date = $3 AND to_date = $4
ORDER BY started_at DESC, id LIMIT 100

-- name: ListRunsStartedAfter :many
SELECT {{run_columns}} FROM {{schema}}.batch_runs
WHERE started_at > $1
ORDER BY started_at DESC, id

-- Runs with notifications that wait for a decision, by their own counts.
-- name: ListHoldingRuns :many
SELECT {{run_columns}} FROM {{schema}}.batch_runs
WHERE notifications_held > 0
ORDER BY started_at DESC, id

-- The newest day of any run.
-- name: FindNewestRunDay :many
SELECT max(to_date) AS to_date FROM {{schema}}.batch_runs

-- name: PutRun :exec
INSERT INTO {{schema}}.batch_runs (
  id, kind, from_date, to_date, mode, shards, selection, is_silent,
  thresholds_version, thresholds_digest, parts, vitality_version, vitality_digest,
  engine_version, host, started_at, finished_at,
  persons, series, days_evaluated, rows_read, rows_changed, values_rejected,
  episodes_opened, episodes_escalated, episodes_resolved,
  notifications_enqueued, notifications_held, scores_changed, insights_found,
  data_quality, watermark, status, error, zone_rules, candidate_version, candidate_digest, feed,
  dose_feed
)
VALUES (
  $1, $2, $3, $4, $5, $6, $7, $8,
  $9, $10, $11, $12, $13,
  $14, $15, $16, $17,
  $18, $19, $20, $21, $22, $23,
  $24, $25, $26,
  $27, $28, $29, $30,
  $31, $32, $33, $34, $35, $36, $37, $38,
  $39
)
ON CONFLICT (id) DO UPDATE SET
  kind = excluded.kind,
  from_date = excluded.from_date,
  to_date = excluded.to_date,
  mode = excluded.mode,
  shards = excluded.shards,
  selection = excluded.selection,
  is_silent = excluded.is_silent,
  thresholds_version = excluded.thresholds_version,
  thresholds_digest = excluded.thresholds_digest,
  parts = excluded.parts,
  vitality_version = excluded.vitality_version,
  vitality_digest = excluded.vitality_digest,
  engine_version = excluded.engine_version,
  host = excluded.host,
  started_at = excluded.started_at,
  finished_at = excluded.finished_at,
  persons = excluded.persons,
  series = excluded.series,
  days_evaluated = excluded.days_evaluated,
  rows_read = excluded.rows_read,
  rows_changed = excluded.rows_changed,
  values_rejected = excluded.values_rejected,
  episodes_opened = excluded.episodes_opened,
  episodes_escalated = excluded.episodes_escalated,
  episodes_resolved = excluded.episodes_resolved,
  notifications_enqueued = excluded.notifications_enqueued,
  notifications_held = excluded.notifications_held,
  scores_changed = excluded.scores_changed,
  insights_found = excluded.insights_found,
  data_quality = excluded.data_quality,
  watermark = excluded.watermark,
  status = excluded.status,
  error = excluded.error,
  zone_rules = excluded.zone_rules,
  candidate_version = excluded.candidate_version,
  candidate_digest = excluded.candidate_digest,
  feed = excluded.feed,
  dose_feed = excluded.dose_feed

-- name: ListShards :many
SELECT {{shard_columns}} FROM {{schema}}.run_shards
WHERE run_id = $1
ORDER BY shard

-- name: PutShard :exec
INSERT INTO {{schema}}.run_shards (
  run_id, shard, status, host, started_at, finished_at, error, data_quality, carried
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (run_id, shard) DO UPDATE SET
  status = excluded.status,
  host = excluded.host,
  started_at = excluded.started_at,
  finished_at = excluded.finished_at,
  error = excluded.error,
  data_quality = excluded.data_quality,
  carried = excluded.carried

-- name: ListCheckpoints :many
SELECT {{checkpoint_columns}} FROM {{schema}}.batch_checkpoints
WHERE run_id = $1
ORDER BY shard, first_person

-- name: FindCheckpoint :many
SELECT {{checkpoint_columns}} FROM {{schema}}.batch_checkpoints
WHERE run_id = $1 AND shard = $2 AND first_person = $3

-- name: InsertCheckpoint :exec
INSERT INTO {{schema}}.batch_checkpoints (
  shard, first_person, last_person, persons, counts, data_quality, metric_rows,
  newest_update, update_seconds, workout_days, medication_digest, vitality_digest,
  sensitivity_digest, run_id, written_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)

-- name: RemoveCheckpoint :exec
DELETE FROM {{schema}}.batch_checkpoints
WHERE run_id = $1 AND shard = $2 AND first_person = $3

-- No command continues a run that has succeeded.
-- name: RemoveFinishedCheckpoints :exec
DELETE FROM {{schema}}.batch_checkpoints
WHERE run_id IN (SELECT id FROM {{schema}}.batch_runs WHERE status = 'succeeded')
