-- Evaluations of single persons: provisional alerts, their notifications, and the outbox.

-- The highest level of the notifications about the alert of `mark` that a sender has taken, or that a member or a
-- clock has ended: those of which a member may know, and those that no night would plan again.
-- name: sent_level :part
(
  SELECT max(planned.level) FROM {{schema}}.provisional_notifications AS planned
  JOIN {{schema}}.notification_queue AS queued ON queued.id = planned.id
  WHERE planned.alert_state_id = mark.alert_state_id AND queued.status <> 'skipped'
    AND NOT (queued.status = 'pending' AND queued.attempts = 0)
)

-- name: ListProvisionalAlertIDs :many
SELECT alert_state_id FROM {{schema}}.provisional_alerts

-- name: ListPersonsWithProvisionalAlerts :many
SELECT DISTINCT user_id FROM {{schema}}.provisional_alerts

-- Marks the alert $1 after an evaluation of the day $2. The row $3 as the night before left it, its levels $4
-- (live) and $5 (shadow), count the first time only; $6 is the run and $7 the time.
-- name: MarkProvisionalAlert :exec
INSERT INTO {{schema}}.provisional_alerts (
  alert_state_id, user_id, evaluated_on, revision, confirmed, notified_level,
  shadow_notified_level, run_id, created_at, updated_at
)
SELECT alert.id, alert.user_id, $2, 1, $3,
  CASE WHEN alert.last_notified_level > coalesce($4, 0) THEN alert.last_notified_level END,
  CASE WHEN alert.shadow_notified_level > coalesce($5, 0) THEN alert.shadow_notified_level END,
  $6, $7, $7
FROM {{schema}}.pattern_alert_state AS alert WHERE alert.id = $1
ON CONFLICT (alert_state_id) DO UPDATE SET
  evaluated_on = excluded.evaluated_on,
  revision = provisional_alerts.revision + 1,
  notified_level = excluded.notified_level,
  shadow_notified_level = excluded.shadow_notified_level,
  run_id = excluded.run_id,
  updated_at = excluded.updated_at

-- Notifications of the evaluation $2 of the run $1 that are in the queue.
-- name: MarkLiveNotifications :exec
INSERT INTO {{schema}}.provisional_notifications (id, alert_state_id, user_id, level)
SELECT held.id, held.alert_state_id, held.member_user_id, held.level
FROM {{schema}}.held_notifications AS held
WHERE held.run_id = $1 AND held.shard = $2 AND held.outcome = 'released'
ON CONFLICT (id) DO NOTHING

-- About how many persons but $2 evaluations notify that the run $1 counts.
-- name: CountOthersNotified :many
SELECT count(DISTINCT planned.user_id) AS persons
FROM {{schema}}.provisional_notifications AS planned
JOIN {{schema}}.notification_queue AS queued ON queued.id = planned.id
WHERE queued.run_id = $1 AND planned.user_id <> $2

-- Lets what a withdrawn level of the alert $1 had superseded wait again, up to the level $2.
-- name: RestoreSupersededNotifications :exec
UPDATE {{schema}}.notification_queue
SET status = 'pending', status_reason = 'quiet_hours', updated_at = $3
WHERE status = 'cancelled' AND status_reason = 'superseded' AND scheduled_for > $3
  AND notification_type = 'pattern_alert' AND alert_state_id = $1 AND level <= $2

-- Removes calls about levels of the alert $1 of which evaluations would have notified, and no one was notified.
-- name: WithdrawEscalations :exec
DELETE FROM {{schema}}.escalation_log
WHERE related_blob_id = $1 AND step = 0 AND status = 'pending'
  AND level IN (
    SELECT planned.level FROM {{schema}}.provisional_notifications AS planned
    WHERE planned.alert_state_id = $1
  )
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.provisional_notifications AS planned
    JOIN {{schema}}.notification_queue AS queued ON queued.id = planned.id
    WHERE planned.alert_state_id = $1 AND planned.level = escalation_log.level
      AND queued.status <> 'skipped'
  )

-- Takes back what evaluations have raised the levels of the alert $1 to ($3 live, $5 shadow), as far as none of
-- their notifications has that level: to those of the night before, $2 and $4.
-- name: ResetNotifiedLevels :exec
UPDATE {{schema}}.pattern_alert_state
SET last_notified_level = CASE
    WHEN last_notified_level = $3 THEN (
      SELECT max(known.level) FROM (
        SELECT CAST($2 AS integer) AS level
        UNION ALL
        SELECT planned.level FROM {{schema}}.provisional_notifications AS planned
        JOIN {{schema}}.notification_queue AS queued ON queued.id = planned.id
        WHERE planned.alert_state_id = $1 AND queued.status <> 'skipped'
      ) AS known
    )
    ELSE last_notified_level
  END,
  shadow_notified_level = CASE
    WHEN shadow_notified_level = $5 THEN CAST($4 AS integer) ELSE shadow_notified_level
  END
WHERE id = $1

-- name: RemoveNotificationMarks :exec
DELETE FROM {{schema}}.provisional_notifications WHERE alert_state_id = $1

-- name: RemoveAlertMark :exec
DELETE FROM {{schema}}.provisional_alerts WHERE alert_state_id = $1

-- Once the profile $1 is the database's, no night judges alerts of another.
-- name: RemoveMarksOfOtherProfiles :exec
DELETE FROM {{schema}}.provisional_alerts WHERE alert_state_id IN (
  SELECT id FROM {{schema}}.pattern_alert_state WHERE profile <> $1
)

-- name: RemoveNotificationMarksOfOtherProfiles :exec
DELETE FROM {{schema}}.provisional_notifications WHERE alert_state_id IN (
  SELECT id FROM {{schema}}.pattern_alert_state WHERE profile <> $1
)

-- MARK: What an evaluation holds until it is released, as shard $2 of the run $1

-- A notification that a night holds is that night's to release.
-- name: LeaveToHoldingRuns :exec
DELETE FROM {{schema}}.held_notifications
WHERE run_id = $1 AND shard = $2 AND dedupe_key IN (
  SELECT waiting.dedupe_key FROM {{schema}}.held_notifications AS waiting
  WHERE waiting.run_id <> $1 AND waiting.outcome IS NULL
)

-- name: LeaveToNight :exec
DELETE FROM {{schema}}.held_notifications
WHERE run_id = $1 AND shard = $2 AND outcome IS NULL

-- name: RemoveHeldOfEvaluation :exec
DELETE FROM {{schema}}.held_notifications WHERE run_id = $1 AND shard = $2

-- MARK: Outbox

-- name: PutEvent :exec
INSERT INTO {{schema}}.outbox (kind, user_id, alert_state_id, run_id, created_at)
VALUES ($1, $2, $3, $4, $5)

-- What a switch of the profile has ended for the run $1 at $2.
-- name: PutEndsOfSwitch :exec
INSERT INTO {{schema}}.outbox (kind, user_id, alert_state_id, run_id, created_at)
SELECT 'ended', alert.user_id, alert.id, alert.run_id, alert.updated_at
FROM {{schema}}.pattern_alert_state AS alert
WHERE alert.run_id = $1 AND alert.updated_at = $2 AND alert.resolution_reason = 'profile_changed'
ORDER BY alert.id

-- name: ListEvents :many
SELECT id, kind, user_id, alert_state_id, run_id FROM {{schema}}.outbox
WHERE id > $1 ORDER BY id LIMIT $2

-- name: CountPrunableEvents :many
SELECT count(*) AS events FROM {{schema}}.outbox WHERE created_at < $1

-- name: RemoveEvents :exec
DELETE FROM {{schema}}.outbox WHERE created_at < $1
