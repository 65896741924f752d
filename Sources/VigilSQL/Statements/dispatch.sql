-- The queue as a sender sees it. The index notification_queue_due has the expressions of these statements.

-- name: claim_columns :part
id, recipient_user_id, member_user_id, notification_type, template_id, level, channel, payload, priority,
scheduled_for, expires_at, attempts, max_attempts, dedupe_key, fencing_token

-- Whether the event has ended of which members are notified in the name of `alert`: all of its alerts have.
-- name: has_ended :part
alert.episode_status = 'resolved' AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.pattern_alert_state AS joined
  WHERE joined.event_id = alert.id AND joined.event_id <> joined.id
    AND joined.episode_status = 'active'
)

-- MARK: What decides at the moment of sending. $1 is the rows.

-- Whether the person has excluded the recipient, and whether the recipient is one still.
-- name: ListRecipientSettings :many
SELECT
  queued.id,
  CASE WHEN EXISTS (
    SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
    WHERE exclusion.subject_user_id = queued.member_user_id
      AND exclusion.excluded_user_id = queued.recipient_user_id
  ) THEN 1 ELSE 0 END,
  CASE WHEN queued.recipient_user_id = queued.member_user_id OR EXISTS (
    SELECT 1 FROM {{schema}}.family_members AS own
    JOIN {{schema}}.family_members AS other ON other.family_id = own.family_id
    WHERE own.user_id = queued.member_user_id AND own.invite_status = 'accepted'
      AND other.user_id = queued.recipient_user_id AND other.invite_status = 'accepted'
      AND other.role IN ('superadmin', 'admin')
  ) THEN 1 ELSE 0 END
FROM {{schema}}.notification_queue AS queued
WHERE queued.id {{is_listed}}

-- The alert of each row, of a metric or of a medication; of a group those of its members, the gravest first.
-- name: ListAlertSettings :many
SELECT
  queued.id,
  CASE WHEN alert.dismissed_at IS NULL THEN 0 ELSE 1 END AS is_dismissed,
  alert.snooze_until,
  CASE WHEN {{has_ended}} THEN 1 ELSE 0 END AS has_ended,
  queued.level AS level,
  queued.dedupe_key AS dedupe_key
FROM {{schema}}.notification_queue AS queued
JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = queued.alert_state_id
WHERE queued.id {{is_listed}} AND queued.notification_type <> 'pattern_alert_group'
UNION ALL
SELECT
  part.group_id,
  CASE WHEN alert.dismissed_at IS NULL THEN 0 ELSE 1 END,
  alert.snooze_until,
  CASE WHEN {{has_ended}} THEN 1 ELSE 0 END,
  part.level,
  part.dedupe_key
FROM {{schema}}.notification_queue AS part
JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = part.alert_state_id
WHERE part.group_id {{is_listed}}
UNION ALL
SELECT
  queued.id,
  CASE WHEN alert.dismissed_at IS NULL THEN 0 ELSE 1 END,
  alert.snooze_until,
  CASE WHEN alert.episode_status = 'resolved' THEN 1 ELSE 0 END,
  queued.level,
  queued.dedupe_key
FROM {{schema}}.notification_queue AS queued
JOIN {{schema}}.medication_alerts AS alert ON alert.id = queued.subject_id
WHERE queued.id {{is_listed}} AND queued.subject_kind = 'medication_alert'
ORDER BY level DESC, dedupe_key

-- Deliveries to the recipients $2 since $3 that count against the limit of a day, and those that others are
-- making.
-- name: CountDeliveries :many
SELECT recipient_user_id, count(*), min(sent_at)
FROM {{schema}}.notification_queue
WHERE recipient_user_id {{is_recipient}} AND status = 'sent' AND sent_at > $3
  AND channel <> 'in_app' AND priority <> 'critical'
GROUP BY recipient_user_id
UNION ALL
SELECT recipient_user_id, count(*), NULL
FROM {{schema}}.notification_queue
WHERE recipient_user_id {{is_recipient}} AND status = 'processing'
  AND NOT (id {{is_listed}}) AND priority <> 'critical'
GROUP BY recipient_user_id

-- name: ListContactPoints :many
SELECT user_id, address, NULL, language FROM {{schema}}.contact_points
WHERE user_id {{is_listed}} AND channel = $2 AND verified_at IS NOT NULL

-- name: ListPushTokens :many
SELECT user_id, token, platform, language FROM {{schema}}.push_tokens
WHERE user_id {{is_listed}} AND revoked_at IS NULL
ORDER BY user_id, created_at DESC, platform, token

-- Of the channel $1, up to $3 rows of the priority $4 that are due at $2.
-- name: FindBacklog :many
SELECT count(*), min(due_at) FROM (
  SELECT coalesce(next_attempt_at, scheduled_for) AS due_at FROM {{schema}}.notification_queue
  WHERE status = 'pending' AND channel = $1 AND priority = $4
    AND coalesce(next_attempt_at, scheduled_for) <= $2
  ORDER BY coalesce(next_attempt_at, scheduled_for)
  LIMIT $3
) AS due

-- MARK: Outcomes. $1 is a row and $2 its fencing token, or lists of both.

-- Status $3 with reason $4, at the next attempt $5, for the error $6, after $7 more attempts, at $8.
-- name: SettleOther :many
UPDATE {{schema}}.notification_queue
SET status = $3, status_reason = $4, next_attempt_at = $5, last_error = coalesce($6, last_error),
  attempts = attempts + CAST($7 AS integer), lease_owner = NULL, lease_until = NULL, updated_at = $8
WHERE id = $1 AND fencing_token = $2 AND status = 'processing'
RETURNING id

-- Leases that have ended by $1. Few rows are taken at a time, and the index has them alone.
-- name: TakeBackLeases :exec
UPDATE {{schema}}.notification_queue
SET status = 'pending', lease_owner = NULL, lease_until = NULL, updated_at = $1
WHERE status = 'processing' AND lease_until <= $1

-- MARK: What an operator does with a row $1, at $2.

-- Until $3 at least it does not expire.
-- name: RetryNotification :exec
UPDATE {{schema}}.notification_queue
SET status = 'pending', status_reason = NULL, attempts = 0, next_attempt_at = $2, updated_at = $2,
  expires_at = CASE WHEN expires_at < $3 THEN $3 ELSE expires_at END
WHERE id = $1 AND channel <> 'in_app' AND (
  status = 'failed'
  OR status = 'pending' AND attempts > 0
  OR status = 'cancelled' AND status_reason IN ('expired', 'rate_limited', 'operator')
)

-- name: CancelNotification :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'operator', next_attempt_at = NULL, updated_at = $2
WHERE id = $1 AND status = 'pending'

-- name: FindNotificationStatus :many
SELECT status, channel FROM {{schema}}.notification_queue WHERE id = $1
