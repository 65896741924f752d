-- Results that are read batch after batch: the persons of a table, with rows on days from $1 to $2.

-- name: ListPersonsWithAlerts :many
SELECT DISTINCT user_id FROM {{schema}}.pattern_alert_state
WHERE active_since <= $2 AND last_evaluated_date >= $1
ORDER BY user_id

-- name: ListPersonsWithInsights :many
SELECT DISTINCT user_id FROM {{schema}}.trend_insights
WHERE insight_date BETWEEN $1 AND $2
ORDER BY user_id

-- name: ListPersonsWithScores :many
SELECT DISTINCT user_id FROM {{schema}}.vitality_scores
WHERE score_date BETWEEN $1 AND $2
ORDER BY user_id

-- name: ListPersonsWithDoseAnalytics :many
SELECT DISTINCT user_id FROM {{schema}}.dose_analytics
WHERE period_end BETWEEN $1 AND $2
ORDER BY user_id

-- MARK: Queues. The page after the row $1 of the run $2, of what is due from $3 and before $4 (NULL for any
-- time); at most $5 rows.

-- name: page :part
WHERE ($1 IS NULL OR (id, run_id) > ($1, $2))
  AND ($3 IS NULL OR scheduled_for >= $3) AND ($4 IS NULL OR scheduled_for < $4)
ORDER BY id, run_id
LIMIT $5

-- name: ListNotificationsAfter :many
SELECT {{notification_columns}} FROM {{schema}}.notification_queue
{{page}}

-- name: ListShadowNotificationsAfter :many
SELECT {{notification_columns}} FROM (
  SELECT {{shadow_columns}} FROM {{schema}}.shadow_notification_queue AS planned
) AS unsent
{{page}}

-- name: ListWaitingNotificationsAfter :many
SELECT {{notification_columns}} FROM (
  SELECT {{waiting_columns}} FROM {{schema}}.held_notifications AS held
  {{are_waiting}}
) AS waiting
{{page}}
