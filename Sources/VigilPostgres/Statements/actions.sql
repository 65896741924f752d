-- Calls of the functions by which members act. Apps call the same, without the instant.

-- name: ActOnAlert :many
SELECT other_alerts, notifications, escalations FROM {{schema}}.vigil_act_on_alert($1, $2, $3, $4)

-- name: MarkAlertRead :many
SELECT {{schema}}.vigil_mark_alert_read($1, $2)

-- name: CheckIn :many
SELECT {{schema}}.vigil_check_in($1, $2)
