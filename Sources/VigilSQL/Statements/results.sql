-- The results of runs.

-- Rows of trend_coverage.
-- name: ListTrendCoverages :many
SELECT {{coverage_columns}} FROM {{schema}}.trend_coverage
ORDER BY user_id, evaluated_on
