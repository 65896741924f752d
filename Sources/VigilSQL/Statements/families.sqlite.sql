-- The results of get_family_pattern_alerts, get_family_silences and family_insights, which are functions on PostgreSQL.

-- Alerts of the family $1 that call for attention on the day $3, for the member $2, and those of silence; those of
-- an event together.
-- name: ListFamilyAlerts :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE user_id IN (
    SELECT user_id FROM {{schema}}.family_members
    WHERE family_id = $1 AND invite_status = 'accepted'
  )
  AND user_id NOT IN (
    SELECT subject_user_id FROM {{schema}}.alert_recipient_exclusions WHERE excluded_user_id = $2
  )
  AND user_id <> $2
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.family_members AS own
    WHERE own.family_id = $1 AND own.user_id = $2 AND own.role = 'dependent'
  )
  AND episode_status = 'active'
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.database_profile AS own
    WHERE own.part = 'patterns' AND own.profile <> pattern_alert_state.profile
  )
  AND dismissed_at IS NULL
  AND (snooze_until IS NULL OR snooze_until <= $3)
{{by_event}}

-- The first attention insight of each of at most two members of the family $1, or else the first
-- positive one, for the member $2; of the day $3 or, where that is NULL, of each member's last
-- evaluated day. Missed doses and refills have a last day of their own: a person may have doses and no score. What a
-- member has dismissed, or snoozed past the day $4, is not shown.
-- name: ListFamilyInsights :many
WITH members AS (
  SELECT user_id FROM {{schema}}.family_members
  WHERE family_id = $1 AND invite_status = 'accepted'
    AND (user_id = $2 OR user_id NOT IN (
      SELECT subject_user_id FROM {{schema}}.alert_recipient_exclusions WHERE excluded_user_id = $2
    ) AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.family_members AS own
      WHERE own.family_id = $1 AND own.user_id = $2 AND own.role = 'dependent'
    ))
), evaluated AS (
  SELECT user_id AS member, evaluated_on AS day, 0 AS of_doses FROM {{schema}}.trend_coverage
  WHERE user_id IN (SELECT user_id FROM members)
  UNION ALL
  SELECT members.user_id, (
    SELECT max(analytics.period_end) FROM {{schema}}.dose_analytics AS analytics
    WHERE analytics.user_id = members.user_id AND analytics.period_kind = '7_days'
  ), 1
  FROM members
), asked AS (
  SELECT member, day, of_doses FROM evaluated
  WHERE $3 IS NULL AND day >= (SELECT date(max(day), '-3 days') FROM evaluated)
  UNION ALL
  SELECT user_id, $3, kind.column1 FROM members CROSS JOIN (VALUES (0), (1)) AS kind
  WHERE $3 IS NOT NULL
), candidate AS (
  SELECT insight.*, row_number() OVER (
    PARTITION BY user_id, severity
    ORDER BY CASE pillar
      WHEN 'sleep' THEN 1 WHEN 'movement' THEN 2 WHEN 'stress' THEN 3 ELSE 4
    END, rule = 'refill_due', medication_id NULLS FIRST
  ) AS place
  FROM asked JOIN {{schema}}.trend_insights AS insight
    ON insight.user_id = asked.member AND insight.insight_date = asked.day
  WHERE user_id <> $2
    AND suppressed_reason IS NULL
    AND CASE rule
      WHEN 'concurrent_episodes' THEN 0
      WHEN 'missed_streak' THEN of_doses WHEN 'refill_due' THEN of_doses ELSE 1 - of_doses
    END = 1
    AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.pattern_alert_state AS alert
      WHERE alert.user_id = insight.user_id AND alert.medication_id = insight.medication_id
        AND alert.metric_type = insight.rule
        AND insight.insight_date BETWEEN alert.active_since AND alert.last_evaluated_date
        AND (alert.dismissed_at IS NOT NULL OR alert.snooze_until > $4)
    )
), chosen AS (
  SELECT
    *,
    rank() OVER (ORDER BY severity <> 'attention') AS preference,
    row_number() OVER (PARTITION BY severity ORDER BY user_id) AS turn
  FROM candidate WHERE place = 1
)
SELECT {{insight_columns}} FROM chosen
WHERE preference = 1 AND turn <= CASE severity WHEN 'attention' THEN 2 ELSE 1 END
ORDER BY user_id
