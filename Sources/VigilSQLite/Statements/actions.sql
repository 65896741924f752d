-- What members do: actions on alerts, reading them, and check-ins. PostgreSQL has functions for the same, which apps call
-- too (`0012_actions.up.sql`).

-- name: InsertAlertAction :exec
INSERT INTO {{schema}}.alert_actions (
  id, alert_state_id, action, actor_user_id, acted_at, snooze_until
)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO NOTHING

-- The first acknowledgement stays.
-- name: AcknowledgeAlert :exec
UPDATE {{schema}}.pattern_alert_state
SET acknowledged_by = CASE WHEN acknowledged_at IS NULL THEN $3 ELSE acknowledged_by END,
  acknowledged_at = coalesce(acknowledged_at, $2),
  updated_at = $2
WHERE id = $1

-- name: SnoozeAlert :exec
UPDATE {{schema}}.pattern_alert_state SET snooze_until = $3, updated_at = $2
WHERE id = $1

-- name: DismissAlert :exec
UPDATE {{schema}}.pattern_alert_state
SET dismissed_at = coalesce(dismissed_at, $2), updated_at = $2
WHERE id = $1

-- name: RestoreAlert :exec
UPDATE {{schema}}.pattern_alert_state
SET snooze_until = NULL, dismissed_at = NULL, updated_at = $2
WHERE id = $1

-- MARK: The queue

-- Cancels the waiting notifications of the alert $1, outside of groups, for the reason $3 at $2.
-- name: CancelNotificationsOfAlert :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = $3, updated_at = $2
WHERE status = 'pending' AND alert_state_id = $1
  AND notification_type <> 'pattern_alert_group'

-- Groups with the alert $1.
-- name: ListGroupsOfAlert :many
SELECT DISTINCT group_id FROM {{schema}}.notification_queue
WHERE alert_state_id = $1 AND group_id IS NOT NULL
ORDER BY group_id

-- A group, $1, goes out as long as it has an alert that is neither dismissed nor snoozed on the day $4.
-- name: CancelGroup :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = $3, updated_at = $2
WHERE id = $1 AND status = 'pending' AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.notification_queue AS member
  JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = member.alert_state_id
  WHERE member.group_id = $1 AND alert.dismissed_at IS NULL
    AND (alert.snooze_until IS NULL OR alert.snooze_until <= $4)
)

-- Lets notifications wait again that a snooze or a dismissal of the alert $1 has cancelled, unless
-- they have expired: with the reason $3 those that are due later, or are not ($4).
-- name: RestoreNotificationsOfAlert :exec
UPDATE {{schema}}.notification_queue
SET status = 'pending', updated_at = $2, status_reason = $3
WHERE status = 'cancelled' AND status_reason IN ('snoozed', 'dismissed') AND expires_at > $2
  AND (scheduled_for > $2) = $4
  AND (alert_state_id = $1 OR EXISTS (
    SELECT 1 FROM {{schema}}.notification_queue AS own
    WHERE own.group_id = notification_queue.id AND own.alert_state_id = $1
  ))

-- MARK: Escalations

-- name: AcknowledgeEscalationsOfAlert :exec
UPDATE {{schema}}.escalation_log SET status = 'acknowledged', acknowledged_at = $2
WHERE related_blob_id = $1 AND status IN ('pending', 'notified') AND expires_at > $2

-- name: ResolveEscalationsOfAlert :exec
UPDATE {{schema}}.escalation_log SET status = 'resolved', resolved_at = $2
WHERE related_blob_id = $1 AND status IN ('pending', 'notified') AND expires_at > $2

-- MARK: Besides actions on alerts

-- The first time stays.
-- name: InsertAlertRead :exec
INSERT INTO {{schema}}.alert_reads (id, alert_state_id, user_id, read_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO NOTHING

-- name: InsertCheckIn :exec
INSERT INTO {{schema}}.check_ins (user_id, checked_in_at, kind) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING
