-- One row or some at a time; {{rows}} are the parameters of their columns, row by row.

-- name: PutAlertStates :exec
INSERT INTO {{schema}}.pattern_alert_state ({{alert_columns}})
VALUES {{rows}}
{{alert_replacement}}

-- name: PutHeldNotifications :exec
INSERT INTO {{schema}}.held_notifications ({{held_written}})
WITH planned ({{held_written}}) AS (VALUES {{rows}})
SELECT {{held_written}} FROM planned
WHERE NOT ({{was_enqueued}})
{{held_replacement}}

-- name: PutShadowNotifications :exec
INSERT INTO {{schema}}.shadow_notification_queue ({{shadow_written}})
VALUES {{rows}}
{{shadow_replacement}}

-- name: PutScheduleVersions :exec
INSERT INTO {{schema}}.schedule_versions ({{version_written}})
VALUES {{rows}}
{{version_replacement}}

-- name: PutDoseAnalytics :exec
INSERT INTO {{schema}}.dose_analytics ({{analytics_written}})
VALUES {{rows}}
{{analytics_replacement}}
WHERE ({{dose_analytics.analytics_figures}}) IS NOT ({{excluded.analytics_figures}})

-- Periods of the persons $1 and the kinds $2 that end from $3 to $4, except for the ids $5.
-- name: RemoveOtherDoseAnalytics :exec
DELETE FROM {{schema}}.dose_analytics
WHERE user_id IN (SELECT value FROM json_each($1))
  AND period_kind IN (SELECT value FROM json_each($2))
  AND period_end BETWEEN $3 AND $4
  AND id NOT IN (SELECT value FROM json_each($5))

-- The computed score of the person $1 and the day $2.
-- name: RemoveScores :exec
DELETE FROM {{schema}}.vitality_scores
WHERE user_id = $1 AND score_date = $2 AND source = 'vigil'

-- name: PutTrendCoverages :exec
INSERT INTO {{schema}}.trend_coverage ({{coverage_written}})
VALUES {{rows}}
{{coverage_replacement}}
WHERE excluded.evaluated_on >= trend_coverage.evaluated_on
  AND ({{trend_coverage.coverage_figures}}) IS NOT ({{excluded.coverage_figures}})

-- name: PutInsights :exec
INSERT INTO {{schema}}.trend_insights ({{insight_written}})
VALUES {{rows}}
{{insight_replacement}}
WHERE ({{trend_insights.insight_figures}}) IS NOT ({{excluded.insight_figures}})

-- Insights of the person $1, of days from $2 to $3 and of the rules $6, except for the ids $7; the run is $4, the
-- time $5.
-- name: RetractOtherInsights :exec
UPDATE {{schema}}.trend_insights
SET suppressed_reason = 'retracted', run_id = $4, updated_at = $5
WHERE user_id = $1 AND insight_date BETWEEN $2 AND $3
  AND coalesce(suppressed_reason, '') <> 'retracted'
  AND rule IN (SELECT value FROM json_each($6))
  AND id NOT IN (SELECT value FROM json_each($7))

-- Co-occurrences of the person $1 that one of the alerts $4 is part of; the run is $2, the time $3.
-- name: RetractCooccurrences :exec
UPDATE {{schema}}.trend_insights
SET suppressed_reason = 'retracted', run_id = $2, updated_at = $3
WHERE user_id = $1 AND suppressed_reason IS NULL AND rule = 'concurrent_episodes'
  AND (
    alert_state_id IN (SELECT value FROM json_each($4))
    OR related_alert_state_id IN (SELECT value FROM json_each($4))
  )

-- Co-occurrences of the person $1 of two of the alerts $4, except for the ids $5; the run is $2, the time $3.
-- name: RetractOtherCooccurrences :exec
UPDATE {{schema}}.trend_insights
SET suppressed_reason = 'retracted', run_id = $2, updated_at = $3
WHERE user_id = $1 AND suppressed_reason IS NULL AND rule = 'concurrent_episodes'
  AND alert_state_id IN (SELECT value FROM json_each($4))
  AND related_alert_state_id IN (SELECT value FROM json_each($4))
  AND id NOT IN (SELECT value FROM json_each($5))
