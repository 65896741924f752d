-- Calls of the functions by which members act. Apps call the same, without the instant.

-- name: ActOnAlert :many
SELECT other_alerts, notifications, escalations FROM {{schema}}.vigil_act_on_alert($1, $2, $3, $4)

-- name: MarkAlertRead :many
SELECT {{schema}}.vigil_mark_alert_read($1, $2)

-- name: CheckIn :many
SELECT {{schema}}.vigil_check_in($1, $2)

-- name: RaiseAlert :many
SELECT alert_id, raised_at FROM {{schema}}.vigil_raise_alert($1)

-- name: ResolveAlert :many
SELECT alert_id FROM {{schema}}.vigil_resolve_alert($1, $2)

-- name: Ping :many
SELECT ping_id FROM {{schema}}.vigil_ping($1, $2)

-- name: Respond :many
SELECT {{schema}}.vigil_respond($1, $2)

-- name: RecordMessageDelivery :many
SELECT {{schema}}.record_sms_delivery($1, $2, $3)

-- name: ResolveEscalation :many
SELECT escalation_id FROM {{schema}}.vigil_resolve_escalation($1, $2, $3)

-- name: MarkInApp :many
SELECT notification_id FROM {{schema}}.vigil_mark_notification($1, $2, $3)

-- The levels $1 are an array in one text.
-- name: ChooseEscalation :many
SELECT level FROM {{schema}}.vigil_set_escalation(CAST($1 AS integer[]), CAST($2 AS integer), $3)
