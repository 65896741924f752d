-- What members do in an app besides acting on alerts.

-- The first time stays.
-- name: InsertAlertRead :exec
INSERT INTO {{schema}}.alert_reads (id, alert_state_id, user_id, read_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO NOTHING

-- name: ListAlertReads :many
SELECT alert_state_id, user_id, read_at
FROM {{schema}}.alert_reads WHERE user_id = $1
ORDER BY read_at, alert_state_id

-- The table may be a view of an app's own.
-- name: InsertCheckIn :exec
INSERT INTO {{schema}}.check_ins (user_id, checked_in_at, kind) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING
