-- Only logins that may change a row can lock it.
-- name: FindRunToChange :many
SELECT id FROM {{schema}}.batch_runs WHERE id = $1 FOR KEY SHARE
