-- The actions of members on alerts, and the alerts that count as notified.

-- The alerts of the event in which the alert $1 is.
-- name: alerts_of_event :part
SELECT asked.event_id FROM {{schema}}.pattern_alert_state AS asked WHERE asked.id = $1
UNION ALL
SELECT joined.id FROM {{schema}}.pattern_alert_state AS asked
JOIN {{schema}}.pattern_alert_state AS joined
  ON joined.event_id = asked.event_id AND joined.event_id <> joined.id
WHERE asked.id = $1

-- name: ListAlertsOfEvent :many
SELECT id, episode_status FROM {{schema}}.pattern_alert_state WHERE id IN ({{alerts_of_event}})
ORDER BY id

-- What members did about the event in which the alert $1 is.
-- name: ListAlertActions :many
SELECT alert_state_id, action, actor_user_id, acted_at, snooze_until
FROM {{schema}}.alert_actions
WHERE alert_state_id IN ({{alerts_of_event}})
ORDER BY acted_at, id

-- Makes every active episode of the database's profile, and its event, count as notified at its present level.
-- name: MarkActiveAsNotified :exec
WITH {{active_levels}}
UPDATE {{schema}}.pattern_alert_state
SET last_notified_level = active_levels.level, updated_at = $1
FROM active_levels
WHERE active_levels.id = pattern_alert_state.id
  AND coalesce(last_notified_level, 0) < active_levels.level
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.database_profile AS own
    WHERE own.part = 'patterns' AND own.profile <> pattern_alert_state.profile
  )

-- Active alerts of shadow runs in a database that has never sent a notification: its first live night would
-- notify of all of them at once.
-- name: CountAlertsNeverNotified :many
SELECT count(*) AS alerts FROM {{schema}}.pattern_alert_state AS alert
JOIN {{schema}}.batch_runs AS run ON run.id = alert.run_id
WHERE alert.episode_status = 'active' AND run.mode = 'shadow'
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.database_profile AS own
    WHERE own.part = 'patterns' AND own.profile <> alert.profile
  )
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.pattern_alert_state AS notified
    WHERE notified.last_notified_level IS NOT NULL
  )
