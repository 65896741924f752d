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

-- name: ListNotificationsAfter :many
SELECT {{notification_columns}} FROM {{schema}}.notification_queue
WHERE ($1 IS NULL OR (id, run_id) > ($1, $2))
  AND ($3 IS NULL OR scheduled_for >= $3) AND ($4 IS NULL OR scheduled_for < $4)
ORDER BY id, run_id
LIMIT $5

-- name: ListShadowNotificationsAfter :many
SELECT {{notification_columns}} FROM (
  SELECT planned.*, NULL AS delivered_at, NULL AS read_at
  FROM {{schema}}.shadow_notification_queue AS planned
) AS unsent
WHERE ($1 IS NULL OR (id, run_id) > ($1, $2))
  AND ($3 IS NULL OR scheduled_for >= $3) AND ($4 IS NULL OR scheduled_for < $4)
ORDER BY id, run_id
LIMIT $5

-- name: ListWaitingNotificationsAfter :many
SELECT {{notification_columns}} FROM (
  SELECT held.*, 0 AS attempts, NULL AS last_attempt_at, NULL AS last_error, NULL AS sent_at,
    NULL AS delivered_at, NULL AS read_at,
    CASE WHEN coalesce(held.status_reason, '') IN ('', {{pending_reasons}}) THEN 'pending' ELSE 'skipped' END AS status
  FROM {{schema}}.held_notifications AS held
  JOIN {{schema}}.run_shards AS part ON part.run_id = held.run_id AND part.shard = held.shard
  WHERE held.outcome IS NULL AND part.status = 'held'
) AS waiting
WHERE ($1 IS NULL OR (id, run_id) > ($1, $2))
  AND ($3 IS NULL OR scheduled_for >= $3) AND ($4 IS NULL OR scheduled_for < $4)
ORDER BY id, run_id
LIMIT $5
