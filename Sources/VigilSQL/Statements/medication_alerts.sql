-- Alerts about medications, as members and the decision about held notifications change them.

-- What members set is theirs to change, except that a retracted row, which they cannot act on, takes over what they
-- set about the row in its place. Levels that were notified never fall.
-- name: medication_alert_replacement :part
ON CONFLICT (id) DO UPDATE SET
  ({{medication_alert_updates}}) = ({{excluded.medication_alert_updates}}),
  last_notified_level = CASE
    WHEN coalesce(excluded.last_notified_level, 0) > coalesce(medication_alerts.last_notified_level, 0)
    THEN excluded.last_notified_level ELSE medication_alerts.last_notified_level
  END,
  last_notified_at = coalesce(excluded.last_notified_at, medication_alerts.last_notified_at),
  shadow_notified_level = CASE
    WHEN coalesce(excluded.shadow_notified_level, 0)
      > coalesce(medication_alerts.shadow_notified_level, 0)
    THEN excluded.shadow_notified_level ELSE medication_alerts.shadow_notified_level
  END,
  snooze_until = CASE medication_alerts.resolution_reason
    WHEN 'retracted' THEN excluded.snooze_until ELSE medication_alerts.snooze_until
  END,
  dismissed_at = CASE medication_alerts.resolution_reason
    WHEN 'retracted' THEN excluded.dismissed_at ELSE medication_alerts.dismissed_at
  END,
  acknowledged_at = CASE medication_alerts.resolution_reason
    WHEN 'retracted' THEN excluded.acknowledged_at ELSE medication_alerts.acknowledged_at
  END,
  acknowledged_by = CASE medication_alerts.resolution_reason
    WHEN 'retracted' THEN excluded.acknowledged_by ELSE medication_alerts.acknowledged_by
  END

-- MARK: Actions

-- name: InsertMedicationAlertAction :exec
INSERT INTO {{schema}}.alert_actions (
  id, medication_alert_id, action, actor_user_id, acted_at, snooze_until
)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO NOTHING

-- Ids from $1 to $2.
-- name: FindMedicationAlerts :many
SELECT {{medication_alert_columns}} FROM {{schema}}.medication_alerts
WHERE id BETWEEN $1 AND $2
ORDER BY id

-- name: ListMedicationAlertActions :many
SELECT medication_alert_id, action, actor_user_id, acted_at, snooze_until
FROM {{schema}}.alert_actions WHERE medication_alert_id = $1
ORDER BY acted_at, id

-- The first acknowledgement stays.
-- name: AcknowledgeMedicationAlert :exec
UPDATE {{schema}}.medication_alerts
SET acknowledged_by = CASE WHEN acknowledged_at IS NULL THEN $3 ELSE acknowledged_by END,
  acknowledged_at = coalesce(acknowledged_at, $2),
  updated_at = $2
WHERE id = $1

-- name: SnoozeMedicationAlert :exec
UPDATE {{schema}}.medication_alerts SET snooze_until = $3, updated_at = $2 WHERE id = $1

-- name: DismissMedicationAlert :exec
UPDATE {{schema}}.medication_alerts
SET dismissed_at = coalesce(dismissed_at, $2), updated_at = $2
WHERE id = $1

-- name: RestoreMedicationAlert :exec
UPDATE {{schema}}.medication_alerts
SET snooze_until = NULL, dismissed_at = NULL, updated_at = $2
WHERE id = $1

-- Makes every active alert about a medication count as notified at its present level.
-- name: MarkActiveMedicationAlertsAsNotified :exec
UPDATE {{schema}}.medication_alerts SET last_notified_level = current_level, updated_at = $1
WHERE episode_status = 'active' AND coalesce(last_notified_level, 0) < current_level

-- MARK: Held notifications. $1 is the run, $2 the instant of the decision, $3 the shard or NULL for all of them,
-- and $4 what was decided: released or discarded.

-- Gives every row about a medication its outcome. VigilDelivery says the same in HeldOutcome.
-- name: DecideHeldMedicationNotifications :exec
UPDATE {{schema}}.held_notifications AS held
SET decided_at = $2,
  outcome = CASE
    WHEN EXISTS (
      SELECT 1 FROM {{schema}}.notification_queue AS queued
      WHERE queued.dedupe_key = held.dedupe_key AND NOT (
        queued.status = 'skipped' AND queued.status_reason IN (
          'snoozed', 'dismissed', 'preference_off', 'superseded', 'resolved'
        )
      )
    ) OR EXISTS (
      SELECT 1 FROM {{schema}}.spent_notifications AS spent WHERE spent.id = held.id
    ) THEN 'repeated'
    WHEN alert.episode_status = 'resolved' THEN 'resolved'
    WHEN held.status_reason = 'preference_off' AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
      WHERE exclusion.subject_user_id = held.member_user_id
        AND exclusion.excluded_user_id = held.recipient_user_id
    ) THEN 'preference_off'
    WHEN $4 = 'released' AND alert.dismissed_at IS NOT NULL THEN 'dismissed'
    WHEN $4 = 'released' AND alert.snooze_until > run.to_date THEN 'snoozed'
    WHEN EXISTS (
      SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
      WHERE exclusion.subject_user_id = held.member_user_id
        AND exclusion.excluded_user_id = held.recipient_user_id
    ) THEN 'excluded'
    WHEN alert.current_level < held.level THEN 'superseded'
    WHEN EXISTS (
      SELECT 1 FROM {{schema}}.held_notifications AS waiting
      WHERE waiting.subject_id = held.subject_id AND waiting.outcome IS NULL
        AND waiting.level > held.level AND waiting.level <= alert.current_level
    ) THEN 'superseded'
    WHEN coalesce(alert.last_notified_level, 0) >= held.level THEN 'repeated'
    ELSE $4
  END
FROM {{schema}}.medication_alerts AS alert, {{schema}}.batch_runs AS run
WHERE alert.id = held.subject_id AND run.id = held.run_id
  AND held.run_id = $1 AND held.outcome IS NULL
  AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))

-- Makes alerts count as notified at the level that was decided about.
-- name: MarkDecidedMedicationAlerts :exec
UPDATE {{schema}}.medication_alerts
SET last_notified_level = decided.level,
  last_notified_at = CASE WHEN $4 = 'released' THEN $2 ELSE last_notified_at END
FROM (
  SELECT held.subject_id, max(held.level) AS level
  FROM {{schema}}.held_notifications AS held
  JOIN {{schema}}.medication_alerts AS alert ON alert.id = held.subject_id
  JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
  WHERE held.run_id = $1 AND held.decided_at = $2
    AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
    AND (
      held.outcome = $4
      OR held.outcome = 'preference_off' AND (
        $4 = 'released'
        AND (alert.dismissed_at IS NOT NULL OR alert.snooze_until > run.to_date)
      ) IS NOT TRUE
    )
  GROUP BY held.subject_id
) AS decided
WHERE decided.subject_id = medication_alerts.id
  AND coalesce(medication_alerts.last_notified_level, 0) < decided.level

-- Ends what runs hold of alerts that are notified at that level by now ($1).
-- name: SupersedeNotifiedMedicationLevels :exec
UPDATE {{schema}}.held_notifications AS held SET outcome = 'superseded', decided_at = $1
FROM {{schema}}.medication_alerts AS alert
WHERE held.outcome IS NULL AND alert.id = held.subject_id
  AND alert.last_notified_level >= held.level

-- MARK: The queue

-- Cancels waiting notifications of alerts that have ended.
-- name: CancelResolvedMedicationNotifications :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'resolved', updated_at = $1
WHERE status = 'pending' AND scheduled_for > $1 AND subject_kind = 'medication_alert'
  AND EXISTS (
    SELECT 1 FROM {{schema}}.medication_alerts AS alert
    WHERE alert.id = notification_queue.subject_id AND alert.episode_status = 'resolved'
  )

-- Cancels the waiting notifications of the alert $1 for the reason $3 at $2.
-- name: CancelNotificationsOfMedicationAlert :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = $3, updated_at = $2
WHERE status = 'pending' AND subject_id = $1

-- Lets notifications wait again that a snooze or a dismissal of the alert $1 has cancelled, unless they have
-- expired.
-- name: RestoreNotificationsOfMedicationAlert :exec
UPDATE {{schema}}.notification_queue
SET status = 'pending', updated_at = $2,
  status_reason = CASE WHEN scheduled_for > $2 THEN 'quiet_hours' END
WHERE status = 'cancelled' AND status_reason IN ('snoozed', 'dismissed') AND expires_at > $2
  AND subject_id = $1
