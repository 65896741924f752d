-- name: ListPersonsAmong :many
SELECT id FROM {{schema}}.users WHERE id IN (SELECT value FROM json_each($1))

-- name: ListExternalIDs :many
SELECT id, external_id FROM {{schema}}.users
WHERE id IN (SELECT value FROM json_each($1)) AND external_id IS NOT NULL

-- name: ListTimeZones :many
SELECT user_id, timezone FROM {{schema}}.user_profiles
WHERE user_id IN (SELECT value FROM json_each($1)) AND timezone IS NOT NULL

-- One pass over users: the column, which people seldom ask by, has no index.
-- name: ListPersonsByExternalID :many
SELECT external_id, id FROM {{schema}}.users
WHERE external_id IN (SELECT value FROM json_each($1))
ORDER BY id

-- One look into the metrics per person, never a scan of them.
-- name: FindAnyMetrics :many
SELECT id FROM {{schema}}.users
WHERE EXISTS (
  SELECT 1 FROM {{schema}}.wearable_daily_metrics
  WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
)
LIMIT 1

-- The first and the last day of each person are one step into the primary key.
-- name: FindMetricDays :many
SELECT
  min((
    SELECT min(metric_date) FROM {{schema}}.wearable_daily_metrics
    WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
  )) AS metric_date,
  max((
    SELECT max(metric_date) FROM {{schema}}.wearable_daily_metrics
    WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
  )) AS metric_date
FROM {{schema}}.users
