-- Limits of values that an operator sets for single persons. Runs read them by ListLimits of the readers.

-- name: ListLimitedPersons :many
SELECT DISTINCT user_id FROM {{schema}}.person_limits WHERE user_id IS NOT NULL ORDER BY user_id

-- A row of the same key stays.
-- name: AddLimit :exec
INSERT INTO {{schema}}.person_limits (
  user_id, metric_type, direction, limit_value, days, severity, starts_on, ends_on, set_by, note
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT DO NOTHING

-- name: EndLimit :exec
UPDATE {{schema}}.person_limits SET ends_on = $6
WHERE user_id = $1 AND metric_type = $2 AND direction = $3 AND days = $4 AND starts_on = $5

-- name: RemoveLimit :exec
DELETE FROM {{schema}}.person_limits
WHERE user_id = $1 AND metric_type = $2 AND direction = $3 AND days = $4 AND starts_on = $5
