-- Rows of the persons $3 whose periods end from $1 to $2.
-- name: ListDoseAnalyticsEndingIn :many
SELECT {{analytics_columns}} FROM {{schema}}.dose_analytics
WHERE period_end BETWEEN $1 AND $2 AND user_id = ANY ($3)
ORDER BY user_id, medication_id NULLS FIRST, period_kind COLLATE "C", period_end
