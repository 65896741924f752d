-- The settings files that a database's rows are made with.

-- name: ListDatabaseProfiles :many
SELECT part, version, digest, adopted_at, settles_on FROM {{schema}}.database_profile
ORDER BY part

-- The first profile of a part.
-- name: InsertDatabaseProfile :exec
INSERT INTO {{schema}}.database_profile (part, profile, version, digest, adopted_at, settles_on)
VALUES ($1, $2, $3, $4, $5, $6)

-- name: ReplaceDatabaseProfile :exec
UPDATE {{schema}}.database_profile
SET profile = $2, version = $3, digest = $4, adopted_at = $5, settles_on = $6
WHERE part = $1

-- Ends the silence after a switch, where a run has reached the day $1.
-- name: SettleDatabaseProfile :exec
UPDATE {{schema}}.database_profile SET settles_on = NULL
WHERE part = 'patterns' AND settles_on <= $1

-- name: ListActiveProfiles :many
SELECT thresholds_version, thresholds_digest, count(*) AS alerts
FROM {{schema}}.pattern_alert_state
WHERE episode_status = 'active'
GROUP BY profile, thresholds_version, thresholds_digest
ORDER BY profile

-- Ends the active episodes of every profile but $1, on the day $2 or, where they were evaluated later, on
-- that day; for the run $3 at $4.
-- name: EndEpisodesOfOtherProfiles :exec
UPDATE {{schema}}.pattern_alert_state
SET episode_status = 'resolved',
  resolution_reason = 'profile_changed',
  resolved_on = CASE WHEN last_evaluated_date > $2 THEN last_evaluated_date ELSE $2 END,
  last_evaluated_date = CASE WHEN last_evaluated_date > $2 THEN last_evaluated_date ELSE $2 END,
  run_id = $3,
  computed_at = $4,
  updated_at = $4
WHERE episode_status = 'active' AND profile <> $1

-- Makes every active episode of the profile $1, and its event, count as notified at its present level, in both
-- modes.
-- name: CountActiveAsNotified :exec
WITH {{active_levels}}
UPDATE {{schema}}.pattern_alert_state
SET last_notified_level = CASE
    WHEN coalesce(last_notified_level, 0) < active_levels.level THEN active_levels.level
    ELSE last_notified_level
  END,
  shadow_notified_level = CASE
    WHEN coalesce(shadow_notified_level, 0) < active_levels.level THEN active_levels.level
    ELSE shadow_notified_level
  END,
  updated_at = $2
FROM active_levels
WHERE active_levels.id = pattern_alert_state.id AND profile = $1
  AND (
    coalesce(last_notified_level, 0) < active_levels.level
    OR coalesce(shadow_notified_level, 0) < active_levels.level
  )
