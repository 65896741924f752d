-- A process that may write to the file may change every run.
-- name: FindRunToChange :many
SELECT id FROM {{schema}}.batch_runs WHERE id = $1
