-- Filters are NULL where any row will do: $1 metric, $2 status, $3 lowest level, $4 the day on which an episode
-- had begun, $5 the day on which it was still evaluated; at most $6 rows.
-- name: ListAlertStates :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE TRUE
  AND ($1 IS NULL OR metric_type = $1)
  AND ($2 IS NULL OR episode_status = $2)
  AND ($3 IS NULL OR current_level >= $3)
  AND ($4 IS NULL OR active_since <= $4)
  AND ($5 IS NULL OR last_evaluated_date >= $5)
ORDER BY user_id, metric_type, pattern_type, active_since, profile, medication_id
LIMIT coalesce($6, 9223372036854775807)

-- The same of the persons $7.
-- name: ListAlertStatesOfPersons :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE user_id IN (SELECT value FROM json_each($7))
  AND ($1 IS NULL OR metric_type = $1)
  AND ($2 IS NULL OR episode_status = $2)
  AND ($3 IS NULL OR current_level >= $3)
  AND ($4 IS NULL OR active_since <= $4)
  AND ($5 IS NULL OR last_evaluated_date >= $5)
ORDER BY user_id, metric_type, pattern_type, active_since, profile, medication_id
LIMIT coalesce($6, 9223372036854775807)

-- Those with ids from $1 to $2.
-- name: ListAlertStatesByID :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE id BETWEEN $1 AND $2
ORDER BY user_id, metric_type, pattern_type, active_since, profile, medication_id

-- Rows of periods of the kind $1 that end on $2.
-- name: ListDoseAnalyticsOn :many
SELECT {{analytics_columns}} FROM {{schema}}.dose_analytics
WHERE period_kind = $1 AND period_end = $2
ORDER BY user_id, medication_id NULLS FIRST

-- Each person's newest of the kind $1.
-- name: ListNewestDoseAnalytics :many
SELECT {{analytics_columns}} FROM {{schema}}.dose_analytics
WHERE period_kind = $1 AND period_end = (
  SELECT max(newest.period_end) FROM {{schema}}.dose_analytics AS newest
  WHERE newest.user_id = dose_analytics.user_id AND newest.period_kind = $1
)
ORDER BY user_id, medication_id NULLS FIRST

-- The same of the persons $3.
-- name: ListDoseAnalyticsOfPersonsOn :many
SELECT {{analytics_columns}} FROM {{schema}}.dose_analytics
WHERE period_kind = $1 AND period_end = $2 AND user_id IN (SELECT value FROM json_each($3))
ORDER BY user_id, medication_id NULLS FIRST

-- The same of the persons $2.
-- name: ListNewestDoseAnalyticsOfPersons :many
SELECT {{analytics_columns}} FROM {{schema}}.dose_analytics
WHERE period_kind = $1 AND user_id IN (SELECT value FROM json_each($2)) AND period_end = (
  SELECT max(newest.period_end) FROM {{schema}}.dose_analytics AS newest
  WHERE newest.user_id = dose_analytics.user_id AND newest.period_kind = $1
)
ORDER BY user_id, medication_id NULLS FIRST

-- name: ListTrendCoveragesOfPersons :many
SELECT {{coverage_columns}} FROM {{schema}}.trend_coverage
WHERE user_id IN (SELECT value FROM json_each($1))
ORDER BY user_id, evaluated_on

-- ListScores of the persons $3.
-- name: ListScoresOfPersons :many
SELECT {{score_values}}
FROM {{schema}}.vitality_scores
WHERE score_date BETWEEN $1 AND $2 AND user_id IN (SELECT value FROM json_each($3))
ORDER BY user_id, score_date, source

-- Insights of days from $1 to $2 and of the rules $3; $4 says whether suppressed ones are listed; at most $5.
-- With $6 only those whose coverage reaches that day.
-- name: ListInsights :many
SELECT {{insight_columns}} FROM {{schema}}.trend_insights
WHERE insight_date BETWEEN $1 AND $2 AND rule IN (SELECT value FROM json_each($3))
  AND ($4 OR suppressed_reason IS NULL)
  AND ($6 IS NULL OR date(insight_date, coverage_days || ' days') > $6)
ORDER BY {{insight_order}}
LIMIT coalesce($5, 9223372036854775807)

-- The same of the persons $7.
-- name: ListInsightsOfPersons :many
SELECT {{insight_columns}} FROM {{schema}}.trend_insights
WHERE user_id IN (SELECT value FROM json_each($7))
  AND insight_date BETWEEN $1 AND $2 AND rule IN (SELECT value FROM json_each($3))
  AND ($4 OR suppressed_reason IS NULL)
  AND ($6 IS NULL OR date(insight_date, coverage_days || ' days') > $6)
ORDER BY {{insight_order}}
LIMIT coalesce($5, 9223372036854775807)

-- Two episodes at the same time that lie on the day $1; the index of these has only their rule. $2 says whether
-- suppressed ones are listed; at most $3.
-- name: ListCooccurrencesOn :many
SELECT {{insight_columns}} FROM {{schema}}.trend_insights
WHERE rule = 'concurrent_episodes' AND insight_date <= $1 AND date(insight_date, coverage_days || ' days') > $1
  AND ($2 OR suppressed_reason IS NULL)
ORDER BY {{insight_order}}
LIMIT coalesce($3, 9223372036854775807)

-- The same of the persons $4.
-- name: ListCooccurrencesOfPersonsOn :many
SELECT {{insight_columns}} FROM {{schema}}.trend_insights
WHERE user_id IN (SELECT value FROM json_each($4))
  AND rule = 'concurrent_episodes' AND insight_date <= $1 AND date(insight_date, coverage_days || ' days') > $1
  AND ($2 OR suppressed_reason IS NULL)
ORDER BY {{insight_order}}
LIMIT coalesce($3, 9223372036854775807)
