-- name: ListPersonsAmong :many
SELECT id FROM {{schema}}.users WHERE id = ANY ($1)

-- name: ListExternalIDs :many
SELECT id, external_id FROM {{schema}}.users WHERE id = ANY ($1) AND external_id IS NOT NULL

-- name: ListTimeZones :many
SELECT user_id, timezone FROM {{schema}}.user_profiles
WHERE user_id = ANY ($1) AND timezone IS NOT NULL

-- name: ListPersonsByExternalID :many
SELECT external_id, id FROM {{schema}}.users WHERE external_id = ANY ($1) ORDER BY id

-- One step into the index per person, never a scan of the metrics: LIMIT keeps the planner from making a join
-- of it.
-- name: FindAnyMetrics :many
SELECT id FROM {{schema}}.users
WHERE (
  SELECT TRUE FROM {{schema}}.wearable_daily_metrics
  WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2 LIMIT 1
)
LIMIT 1

-- The first and the last day of each person are one step into the primary key.
-- name: FindMetricDays :many
SELECT min(own.first) AS metric_date, max(own.last) AS metric_date
FROM {{schema}}.users CROSS JOIN LATERAL (
  SELECT
    (
      SELECT metric_date FROM {{schema}}.wearable_daily_metrics
      WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
      ORDER BY user_id, metric_date LIMIT 1
    ) AS first,
    (
      SELECT metric_date FROM {{schema}}.wearable_daily_metrics
      WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
      ORDER BY user_id DESC, metric_date DESC LIMIT 1
    ) AS last
) AS own
