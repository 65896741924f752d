-- Prompts: notifications that no night plans.

-- The accepted members of the families in which the persons $1 have accepted, and whether the person has excluded them.
-- name: ListPromptMembers :many
SELECT
  own.user_id, other.user_id, CAST(other.role AS text),
  CASE WHEN EXISTS (
    SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
    WHERE exclusion.subject_user_id = own.user_id AND exclusion.excluded_user_id = other.user_id
  ) THEN 1 ELSE 0 END
FROM {{schema}}.family_members AS own
JOIN {{schema}}.family_members AS other ON other.family_id = own.family_id
WHERE own.user_id {{is_listed}} AND own.invite_status = 'accepted'
  AND other.user_id <> own.user_id AND other.invite_status = 'accepted'
ORDER BY own.user_id, other.user_id, other.family_id

-- The row $1 to $2 about the person $3 because of the prompt $4, whose kind is $5; by the channel $6 with the payload $7
-- and the priority $8, from $9 until $10; with the status $11 for the reason $12 and the key $13; at $14.
-- name: InsertPromptNotice :exec
INSERT INTO {{schema}}.notification_queue (
  id, recipient_user_id, member_user_id, prompt_id, notification_type, template_id, channel, payload,
  priority, scheduled_for, expires_at, status, status_reason, dedupe_key, run_id, created_at, updated_at
)
VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $4, $14, $14)

-- MARK: Raised alerts

-- Active ones whose notifications no sender has planned, the oldest first; at most $1.
-- name: ListRaisedAlertsToPlan :many
SELECT id, user_id FROM {{schema}}.raised_alerts
WHERE status = 'active' AND planned_at IS NULL
ORDER BY raised_at, id
LIMIT $1

-- The notifications of the alert $1 are planned at $2, by one sender.
-- name: MarkRaisedAlertPlanned :exec
UPDATE {{schema}}.raised_alerts SET planned_at = $2
WHERE id = $1 AND status = 'active' AND planned_at IS NULL

-- MARK: Pings

-- Those without an answer at $1 that can still have one, and whose notifications no sender has planned; at most $2.
-- name: ListPingsToPlan :many
SELECT id, recipient_user_id, expires_at FROM {{schema}}.pings
WHERE status = 'pending' AND planned_at IS NULL AND expires_at > $1
ORDER BY sent_at, id
LIMIT $2

-- name: MarkPingPlanned :exec
UPDATE {{schema}}.pings SET planned_at = $2
WHERE id = $1 AND status = 'pending' AND planned_at IS NULL

-- name: ExpirePings :exec
UPDATE {{schema}}.pings SET status = 'expired' WHERE status = 'pending' AND expires_at <= $1

-- MARK: Reminders of check-ins

-- Of the person $1 for the interval that began at $2, by one sender at $3.
-- name: MarkReminded :exec
INSERT INTO {{schema}}.check_in_reminders AS known (user_id, interval_start, planned_at)
VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET
  interval_start = excluded.interval_start, planned_at = excluded.planned_at
WHERE known.interval_start <> excluded.interval_start

-- MARK: Quotas of text messages

-- Persons who have had so much of the quota of the month $1 that they are notified, and were not; at most $2.
-- name: ListQuotasToWarnOf :many
SELECT log.recipient_user_id
FROM {{schema}}.sms_quota AS quota
JOIN {{schema}}.sms_log AS log ON log.month = $1 AND log.status <> 'not_sent'
WHERE NOT EXISTS (
  SELECT 1 FROM {{schema}}.sms_quota_warnings AS known
  WHERE known.user_id = log.recipient_user_id AND known.month = $1
)
GROUP BY log.recipient_user_id
HAVING 100 * count(*) >= max(quota.per_month * quota.warning_percent)
ORDER BY log.recipient_user_id
LIMIT $2

-- Of the person $1 for the month $2, by one sender at $3.
-- name: MarkQuotaWarned :exec
INSERT INTO {{schema}}.sms_quota_warnings AS known (user_id, month, planned_at)
VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET month = excluded.month, planned_at = excluded.planned_at
WHERE known.month <> excluded.month
