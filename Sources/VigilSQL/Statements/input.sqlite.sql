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

-- By day of UTC with a dose row from $1 to before $2, the persons with one: of the first $3 persons by their ids who
-- have an active schedule.
-- name: CountDoseSendersByDay :many
WITH person AS MATERIALIZED (
  SELECT id FROM {{schema}}.users
  WHERE EXISTS (
    SELECT 1 FROM {{schema}}.medications AS medication
    JOIN {{schema}}.schedules AS schedule ON schedule.medication_id = medication.id
    WHERE medication.user_id = users.id AND medication.is_active AND schedule.is_active
  )
  ORDER BY id LIMIT $3
)
SELECT sent.day, count(DISTINCT sent.user_id) AS persons
FROM (
  SELECT medication.user_id, substr(own.scheduled_time, 1, 10) AS day
  FROM person
  JOIN {{schema}}.medications AS medication ON medication.user_id = person.id
  JOIN {{schema}}.dose_history AS own ON own.medication_id = medication.id
  WHERE own.scheduled_time >= $1 AND own.scheduled_time < $2
  UNION ALL
  SELECT medication.user_id, substr(own.actual_time, 1, 10) AS day
  FROM person
  JOIN {{schema}}.medications AS medication ON medication.user_id = person.id
  JOIN {{schema}}.dose_history AS own ON own.medication_id = medication.id
  WHERE own.scheduled_time IS NULL AND own.actual_time >= $1 AND own.actual_time < $2
) AS sent
GROUP BY sent.day
