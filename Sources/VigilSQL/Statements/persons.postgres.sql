-- The provisional alerts of the persons $1, each with its mark.
-- name: ListProvisionalAlerts :many
SELECT {{alert.alert_columns}}, mark.confirmed, mark.revision, mark.notified_level,
  mark.shadow_notified_level, {{sent_level}} AS sent_level
FROM {{schema}}.provisional_alerts AS mark
JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = mark.alert_state_id
WHERE mark.user_id = ANY ($1)
ORDER BY alert.id

-- Of the planned notifications $2 those that the run $1 has put into the shadow queue.
-- name: MarkShadowNotifications :exec
INSERT INTO {{schema}}.provisional_notifications (id, alert_state_id, user_id, level)
SELECT planned.id, planned.alert_state_id, planned.member_user_id, planned.level
FROM {{schema}}.shadow_notification_queue AS planned
WHERE planned.id = ANY ($2) AND planned.run_id = $1 AND planned.status = 'pending'
ON CONFLICT (id) DO NOTHING

-- Takes what waits about the alert $1 out of the queue, except for the ids $2. A night that plans it again puts it
-- back.
-- name: WithdrawNotifications :exec
UPDATE {{schema}}.notification_queue
SET status = 'skipped', status_reason = 'resolved', updated_at = $3
WHERE status = 'pending' AND attempts = 0 AND id <> ALL ($2) AND id IN (
  SELECT planned.id FROM {{schema}}.provisional_notifications AS planned
  WHERE planned.alert_state_id = $1
)

-- name: WithdrawShadowNotifications :exec
UPDATE {{schema}}.shadow_notification_queue
SET status = 'skipped', status_reason = 'resolved', updated_at = $3
WHERE status = 'pending' AND id <> ALL ($2) AND id IN (
  SELECT planned.id FROM {{schema}}.provisional_notifications AS planned
  WHERE planned.alert_state_id = $1
)

-- An event of the kind $1 for each of the alerts $2 that the run $3 has written at $4.
-- name: PutEventsOfNight :exec
INSERT INTO {{schema}}.outbox (kind, user_id, alert_state_id, run_id, created_at)
SELECT $1, alert.user_id, alert.id, $3, $4
FROM {{schema}}.pattern_alert_state AS alert WHERE alert.id = ANY ($2)
ORDER BY alert.id
