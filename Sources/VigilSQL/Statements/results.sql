-- The results of runs.

-- Rows of trend_coverage.
-- name: ListTrendCoverages :many
SELECT {{coverage_columns}} FROM {{schema}}.trend_coverage
ORDER BY user_id, evaluated_on

-- An app may have other types. Both databases know the names of these.
-- name: score_values :part
user_id, score_date,
CAST(total_score AS double precision) AS total_score,
CAST(sleep_score AS double precision) AS sleep_score,
CAST(movement_score AS double precision) AS movement_score,
CAST(stress_score AS double precision) AS stress_score,
CAST(schema_version AS text) AS schema_version, CAST(source AS text) AS source

-- name: ListScores :many
SELECT {{score_values}}
FROM {{schema}}.vitality_scores
WHERE score_date BETWEEN $1 AND $2
ORDER BY user_id, score_date, source

-- name: insight_order :part
user_id, insight_date,
CASE pillar
  WHEN 'sleep' THEN 0 WHEN 'movement' THEN 1 WHEN 'stress' THEN 2 WHEN 'adherence' THEN 3
END,
medication_id NULLS FIRST, id
