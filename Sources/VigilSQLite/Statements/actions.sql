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
-- they have expired, or the app has shown them: with the reason $3 those that are due later, or are not ($4).
-- name: RestoreNotificationsOfAlert :exec
UPDATE {{schema}}.notification_queue
SET status = 'pending', updated_at = $2, status_reason = $3
WHERE status = 'cancelled' AND status_reason IN ('snoozed', 'dismissed')
  AND (expires_at IS NULL OR expires_at > $2) AND delivered_at IS NULL
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

-- MARK: Raised alerts

-- The alert $1 of the person $2 at $3, where they have no active one.
-- name: RaiseAlert :exec
INSERT INTO {{schema}}.raised_alerts (id, user_id, raised_at) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING

-- The first resolution stays: of the alert $1 at $2 by $3.
-- name: ResolveRaisedAlert :exec
UPDATE {{schema}}.raised_alerts
SET status = 'resolved', resolved_at = max(raised_at, $2), resolved_by = $3
WHERE id = $1 AND status = 'active'

-- name: CancelNotificationsOfPrompt :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'resolved', updated_at = $2
WHERE status = 'pending' AND prompt_id = $1

-- MARK: Pings

-- A ping from $1 to $2 that has expired at $3 makes room for the next.
-- name: ExpirePingsTo :exec
UPDATE {{schema}}.pings SET status = 'expired'
WHERE sender_user_id = $1 AND recipient_user_id = $2 AND status = 'pending' AND expires_at <= $3

-- name: InsertPing :exec
INSERT INTO {{schema}}.pings (id, sender_user_id, recipient_user_id, sent_at, expires_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING

-- The first answer stays: to the ping $1 at $2.
-- name: AnswerPing :exec
UPDATE {{schema}}.pings SET status = 'responded', responded_at = max(sent_at, $2)
WHERE id = $1 AND status = 'pending' AND expires_at > $2

-- MARK: Notifications of the app

-- The first time stays: of the row $1 at $2; $3 says whether the recipient has read it. What was cancelled since the app
-- showed it stays so.
-- name: MarkInApp :exec
UPDATE {{schema}}.notification_queue
SET delivered_at = coalesce(delivered_at, $2),
  read_at = CASE WHEN $3 THEN coalesce(read_at, max($2, coalesce(delivered_at, $2))) ELSE read_at END,
  sent_at = CASE status WHEN 'pending' THEN $2 ELSE sent_at END,
  status_reason = CASE status WHEN 'pending' THEN NULL ELSE status_reason END,
  status = CASE status WHEN 'pending' THEN 'sent' ELSE status END,
  updated_at = $2
WHERE id = $1 AND channel = 'in_app' AND status <> 'skipped'
  AND (delivered_at IS NULL OR $3 AND read_at IS NULL)

-- MARK: Choices about calls

-- Of the person $1 at the level $2: $3 minutes, or no calls.
-- name: ChooseEscalation :exec
INSERT INTO {{schema}}.escalation_settings (user_id, level, window_minutes) VALUES ($1, $2, $3)
ON CONFLICT (user_id, level) DO UPDATE SET window_minutes = excluded.window_minutes

-- name: ResetEscalation :exec
DELETE FROM {{schema}}.escalation_settings WHERE user_id = $1 AND level = $2

-- MARK: Calls

-- The first finding stays: of the call $1 at $2, it is $3.
-- name: ResolveEscalation :exec
UPDATE {{schema}}.escalation_log
SET status = 'resolved', resolved_at = max(triggered_at, $2), resolution = $3
WHERE id = $1 AND coalesce(resolution, 'no_response') = 'no_response'

-- No other needs to be called about the level of the call $1, or a lower one, at $2.
-- name: CancelFurtherCalls :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'resolved', updated_at = $2
WHERE status = 'pending' AND notification_type IN ('escalation', 'emergency_contact') AND EXISTS (
  SELECT 1 FROM {{schema}}.escalation_log AS answered
  WHERE answered.id = $1
    AND coalesce(notification_queue.alert_state_id, notification_queue.prompt_id) = answered.related_blob_id
    AND coalesce(notification_queue.level, answered.level) <= answered.level
)

-- MARK: Reports of providers about text messages

-- The message that the provider names $1, or else that of the notification $1; its newest month.
-- name: FindMessage :many
SELECT notification_id, month FROM {{schema}}.sms_log
WHERE provider_message_id = $1 OR notification_id = lower($1)
ORDER BY provider_message_id IS $1 DESC, month DESC
LIMIT 1

-- The state of a message goes forward: that of $1 in the month $2 to $3, since $4, recorded at $5.
-- name: RecordMessageDelivery :exec
UPDATE {{schema}}.sms_log
SET delivery_status = $3, delivery_status_at = max($4, delivery_status_at), updated_at = $5
WHERE notification_id = $1 AND month = $2 AND (
  delivery_status = 'queued' AND $3 <> 'queued'
  OR delivery_status = 'sent' AND $3 NOT IN ('queued', 'sent')
)

-- name: FindMessageDelivery :many
SELECT delivery_status FROM {{schema}}.sms_log WHERE notification_id = $1 AND month = $2
