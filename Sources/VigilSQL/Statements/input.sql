-- The input of runs.

-- Persons with a metric row from $1 to $3, and how many of them have none from $2 to $3; by steps along the key
-- of the metrics, which may have many rows a person.
-- name: CountSenders :many
SELECT count(*) AS persons, coalesce(sum(
  CASE WHEN EXISTS (
    SELECT 1 FROM {{schema}}.wearable_daily_metrics AS recent
    WHERE recent.user_id = users.id AND recent.metric_date BETWEEN $2 AND $3
  ) THEN 0 ELSE 1 END
), 0) AS silent
FROM {{schema}}.users AS users WHERE EXISTS (
  SELECT 1 FROM {{schema}}.wearable_daily_metrics AS earlier
  WHERE earlier.user_id = users.id AND earlier.metric_date BETWEEN $1 AND $3
)

-- name: FindAnyMedication :many
SELECT 1 AS found FROM {{schema}}.medications LIMIT 1

-- name: FindAnyCheckIn :many
SELECT 1 AS found
WHERE EXISTS (SELECT 1 FROM {{schema}}.check_ins)
  OR EXISTS (SELECT 1 FROM {{schema}}.check_in_plans)

-- Persons with a plan of check-ins, or a check-in from $1 to $2: one look into each key per person. LIMIT keeps the
-- planner of PostgreSQL from making a join of it.
-- name: ListPersonsWithCheckIns :many
SELECT id FROM {{schema}}.users
WHERE (SELECT TRUE FROM {{schema}}.check_in_plans WHERE user_id = users.id LIMIT 1)
  OR (
    SELECT TRUE FROM {{schema}}.check_ins
    WHERE user_id = users.id AND checked_in_at BETWEEN $1 AND $2 LIMIT 1
  )

-- A row of an input table that cannot be used. One that is there already gets the run of this one.
-- name: QuarantineRow :exec
INSERT INTO {{schema}}.quarantined_rows (
  run_id, table_name, file, line, column_name, reason, row_key, created_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (table_name, row_key, reason) WHERE row_key IS NOT NULL
DO UPDATE SET run_id = excluded.run_id

-- The newest rows that cannot be used, at most $1.
-- name: ListQuarantinedRows :many
SELECT created_at, run_id, table_name, file, line, column_name, reason, row_key
FROM {{schema}}.quarantined_rows
ORDER BY created_at DESC, id DESC
LIMIT $1

-- name: CountQuarantinedRows :many
SELECT count(*) AS found FROM {{schema}}.quarantined_rows

-- Persons whose ids lie from $1 to $2, at most $3.
-- name: ListPersonsBetween :many
SELECT id FROM {{schema}}.users
WHERE id BETWEEN $1 AND $2
ORDER BY id
LIMIT $3

-- A person whom an input row names.
-- name: InsertUser :exec
INSERT INTO {{schema}}.users (id, external_id, created_at, updated_at)
VALUES ($1, $2, $3, $3)
ON CONFLICT (id) DO NOTHING

-- How many rows of an input table lie from $1 to $2, at most $3; what Vigil has computed is no input.
-- name: CountInputRows :many
SELECT count(*) AS found FROM (
  SELECT 1 AS found FROM {{schema}}.{{table}}
  WHERE {{date}} BETWEEN $1 AND $2 AND coalesce(CAST({{origin}} AS text), '') <> 'vigil'
  LIMIT $3
) AS found

-- name: FindInputRow :many
SELECT 1 AS found FROM {{schema}}.{{table}} WHERE id = $1

-- The days from $3 to $4 of which a person's row of one source has a value.
-- name: ListDaysOfSource :many
SELECT metric_date FROM {{schema}}.wearable_daily_metrics
WHERE user_id = $1 AND source = $2 AND metric_date BETWEEN $3 AND $4
  AND coalesce(
    {{metric_columns}}
  ) IS NOT NULL
ORDER BY metric_date
