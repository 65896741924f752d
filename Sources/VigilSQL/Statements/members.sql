-- What members do in an app besides acting on alerts.

-- name: ListAlertReads :many
SELECT alert_state_id, user_id, read_at
FROM {{schema}}.alert_reads WHERE user_id = $1
ORDER BY read_at, alert_state_id
