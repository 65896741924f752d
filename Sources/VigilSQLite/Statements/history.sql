-- Copies of metric rows, and what makes them void.

-- Whether triggers remove the copies of rows that change.
-- name: FindHistoryTriggers :many
SELECT count(*) = 3 AS is_kept FROM {{schema}}.sqlite_master
WHERE type = 'trigger' AND tbl_name = 'wearable_daily_metrics'
  AND name IN ('vigil_history_insert', 'vigil_history_update', 'vigil_history_delete')

-- From now on, changes up to the day $1 remove copies.
-- name: RaiseHistory :exec
INSERT INTO {{schema}}.history_state (is_only, generation, last_day) VALUES (1, 0, $1)
ON CONFLICT (is_only) DO UPDATE SET last_day = max(last_day, excluded.last_day)

-- name: ClearHistory :exec
DELETE FROM {{schema}}.metric_history

-- name: FindGeneration :many
SELECT generation FROM {{schema}}.history_state

-- name: CountGeneration :exec
UPDATE {{schema}}.history_state SET generation = generation + 1

-- The copy of the person $1 in the layout $2.
-- name: FindHistory :many
SELECT first_day, last_day, rows FROM {{schema}}.metric_history WHERE user_id = $1 AND layout = $2

-- name: PutHistory :exec
INSERT INTO {{schema}}.metric_history (user_id, first_day, last_day, layout, rows)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id) DO UPDATE SET
  first_day = excluded.first_day, last_day = excluded.last_day, layout = excluded.layout, rows = excluded.rows
