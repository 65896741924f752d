-- The queues, live and shadow, and the escalations.

-- Cancels waiting notifications of what has ended. Those of the app are due at once, and wait until they are read.
-- name: CancelResolvedNotifications :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'resolved', updated_at = $1
WHERE status = 'pending' AND (scheduled_for > $1 OR channel = 'in_app') AND notification_type = 'pattern_alert'
  AND EXISTS (
    SELECT 1 FROM {{schema}}.pattern_alert_state AS alert
    WHERE alert.id = notification_queue.alert_state_id AND {{has_ended}}
  )

-- Cancels what was not sent in time. What has expired was due before: the index of pending rows is ordered
-- by that.
-- name: ExpireNotifications :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'expired', updated_at = $1
WHERE status = 'pending' AND scheduled_for <= $1 AND expires_at <= $1

-- MARK: Lists. First what is pending, in the order in which it is due, then the newest.

-- Filters are NULL where any row will do: ids from $1 to $2, $3 status, $4 reason, $5 recipient, $6 the
-- member whom the alert is about, $7 the alert, or one of those in a group.
-- name: matches :part
($1 IS NULL OR id >= $1) AND ($2 IS NULL OR id <= $2)
  AND ($3 IS NULL OR status = $3)
  AND ($4 IS NULL OR status_reason = $4)
  AND ($5 IS NULL OR recipient_user_id = $5)
  AND ($6 IS NULL OR member_user_id = $6)

-- name: is_of_alert :part
($7 IS NULL OR alert_state_id = $7 OR id IN (
  SELECT member.group_id FROM {{schema}}.notification_queue AS member
  WHERE member.alert_state_id = $7 AND member.group_id IS NOT NULL
))

-- name: is_shadow_of_alert :part
($7 IS NULL OR alert_state_id = $7 OR id IN (
  SELECT member.group_id FROM {{schema}}.shadow_notification_queue AS member
  WHERE member.alert_state_id = $7 AND member.group_id IS NOT NULL
))

-- name: is_waiting_of_alert :part
($7 IS NULL OR alert_state_id = $7 OR id IN (
  SELECT member.group_id FROM {{schema}}.held_notifications AS member
  WHERE member.alert_state_id = $7 AND member.group_id IS NOT NULL
))

-- name: pending_first :part
CASE WHEN status = 'pending' THEN 0 ELSE 1 END,
CASE WHEN status = 'pending' THEN scheduled_for END,
created_at DESC, id

-- name: ListNotifications :many
SELECT {{notification_columns}} FROM {{schema}}.notification_queue
WHERE {{matches}}
  AND {{is_of_alert}}
ORDER BY {{pending_first}}
LIMIT coalesce($8, 9223372036854775807)

-- name: CountNotifications :many
SELECT status, count(*) AS notifications FROM {{schema}}.notification_queue
WHERE {{matches}}
  AND {{is_of_alert}}
GROUP BY status

-- Of the rows that match, those of the app that their recipients have read.
-- name: CountReadNotifications :many
SELECT count(*) AS notifications FROM {{schema}}.notification_queue
WHERE read_at IS NOT NULL AND {{matches}}
  AND {{is_of_alert}}

-- name: ListShadowNotifications :many
SELECT {{notification_columns}} FROM (
  SELECT {{shadow_columns}} FROM {{schema}}.shadow_notification_queue AS planned
) AS unsent
WHERE {{matches}}
  AND {{is_shadow_of_alert}}
ORDER BY {{pending_first}}
LIMIT coalesce($8, 9223372036854775807)

-- name: CountShadowNotifications :many
SELECT status, count(*) AS notifications FROM {{schema}}.shadow_notification_queue
WHERE {{matches}}
  AND {{is_shadow_of_alert}}
GROUP BY status

-- Filters as those of ListNotifications, of what waits for a decision.
-- name: ListWaitingNotifications :many
SELECT {{notification_columns}} FROM (
  SELECT {{waiting_columns}} FROM {{schema}}.held_notifications AS held
  {{are_waiting}}
) AS waiting
WHERE {{matches}}
  AND {{is_waiting_of_alert}}
ORDER BY {{pending_first}}
LIMIT coalesce($8, 9223372036854775807)

-- name: CountWaitingNotifications :many
SELECT status, count(*) AS notifications FROM (
  SELECT {{waiting_columns}} FROM {{schema}}.held_notifications AS held
  {{are_waiting}}
) AS waiting
WHERE {{matches}}
  AND {{is_waiting_of_alert}}
GROUP BY status

-- MARK: Escalations

-- Ends what was not answered in time.
-- name: ExpireEscalations :exec
UPDATE {{schema}}.escalation_log SET status = 'expired'
WHERE status IN ('pending', 'notified') AND expires_at <= $1

-- Ends what needs no answer any more, because it has ended.
-- name: ResolveEscalations :exec
UPDATE {{schema}}.escalation_log SET status = 'resolved', resolved_at = $1
WHERE status IN ('pending', 'notified') AND related_blob_id IN (
  SELECT alert.id FROM {{schema}}.pattern_alert_state AS alert WHERE {{has_ended}}
)
