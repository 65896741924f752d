-- What members do in an app besides acting on alerts.

-- name: ListAlertReads :many
SELECT alert_state_id, user_id, read_at
FROM {{schema}}.alert_reads WHERE user_id = $1
ORDER BY read_at, alert_state_id

-- name: FindRaisedAlert :many
SELECT id, user_id, raised_at, resolved_at, resolved_by FROM {{schema}}.raised_alerts WHERE id = $1

-- name: ListRaisedAlerts :many
SELECT id, user_id, raised_at, resolved_at, resolved_by
FROM {{schema}}.raised_alerts WHERE user_id = $1
ORDER BY raised_at DESC, id

-- name: FindPing :many
SELECT id, sender_user_id, recipient_user_id, sent_at, expires_at, status, responded_at
FROM {{schema}}.pings WHERE id = $1

-- name: ListPings :many
SELECT id, sender_user_id, recipient_user_id, sent_at, expires_at, status, responded_at
FROM {{schema}}.pings WHERE sender_user_id = $1 OR recipient_user_id = $1
ORDER BY sent_at DESC, id

-- The row $1 of the app: to whom it is, about whom, and when it was delivered and read.
-- name: FindInApp :many
SELECT recipient_user_id, member_user_id, delivered_at, read_at
FROM {{schema}}.notification_queue
WHERE id = $1 AND channel = 'in_app' AND status <> 'skipped'

-- The persons whom the alerts of the group $1 are about.
-- name: ListPersonsOfGroup :many
SELECT DISTINCT member_user_id FROM {{schema}}.notification_queue WHERE group_id = $1
ORDER BY member_user_id

-- name: ListEscalationChoices :many
SELECT level, window_minutes FROM {{schema}}.escalation_settings WHERE user_id = $1
ORDER BY level

-- The person and the caregiver of the call $1, and how it was resolved.
-- name: FindCall :many
SELECT patient_id, caregiver_id, resolution, resolved_at FROM {{schema}}.escalation_log WHERE id = $1

-- The text messages to the person $1 in the month $2, and how many are allowed.
-- name: FindMessageUse :many
SELECT count(*) AS used, (SELECT quota.per_month FROM {{schema}}.sms_quota AS quota) AS allowed
FROM {{schema}}.sms_log AS log
WHERE log.recipient_user_id = $1 AND log.month = $2 AND log.status <> 'not_sent'
