-- All rows of a batch at once, from the table {{staging}} in which they are staged; {{staged_columns}} are its
-- columns as the types of their table.

-- What has ended goes first, so that a series never has two active rows in between.
-- name: PutAlertStates :exec
INSERT INTO {{schema}}.pattern_alert_state ({{alert_columns}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
ORDER BY episode_status = 'active', vigil_ordinal
{{alert_replacement}}

-- How many of the rows that were written will be sent.
-- name: PutHeldNotifications :many
WITH written AS (
  INSERT INTO {{schema}}.held_notifications ({{held_written}})
  SELECT {{staged_columns}} FROM pg_temp.{{staging}} AS planned
  WHERE NOT ({{was_enqueued}})
  ORDER BY vigil_ordinal
  {{held_replacement}}
  RETURNING status_reason
)
SELECT count(*) AS planned FROM written
WHERE coalesce(status_reason, 'quiet_hours') = 'quiet_hours'

-- How many of the rows that were written would be sent.
-- name: PutShadowNotifications :many
WITH written AS (
  INSERT INTO {{schema}}.shadow_notification_queue ({{shadow_written}})
  SELECT {{staged_columns}} FROM pg_temp.{{staging}}
  ORDER BY vigil_ordinal
  {{shadow_replacement}}
  RETURNING status_reason
)
SELECT count(*) AS planned FROM written
WHERE coalesce(status_reason, 'quiet_hours') = 'quiet_hours'

-- name: PutScheduleVersions :exec
INSERT INTO {{schema}}.schedule_versions ({{version_written}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
{{version_replacement}}

-- Rows from $1 to $2 of those that are staged. A row that is there already with the same figures is not even
-- locked.
-- name: PutDoseAnalytics :exec
INSERT INTO {{schema}}.dose_analytics ({{analytics_written}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}} AS staged
WHERE vigil_ordinal BETWEEN $1 AND $2
  AND (
    SELECT ({{stored.analytics_figures}}) IS NOT DISTINCT FROM ({{staged.analytics_figures}})
    FROM {{schema}}.dose_analytics AS stored WHERE stored.id = staged.id LIMIT 1
  ) IS NOT TRUE
{{analytics_replacement}}
WHERE ({{dose_analytics.analytics_figures}}) IS DISTINCT FROM ({{excluded.analytics_figures}})

-- Periods of the persons $1 and the kinds $2 that end from $3 to $4, except for those that are staged. One range
-- of the index for each person, and then mostly nothing: OFFSET keeps the planner from making one join of it.
-- NOT IN is one table of hashes whatever the planner knows.
-- name: RemoveOtherDoseAnalytics :exec
DELETE FROM {{schema}}.dose_analytics WHERE id = ANY (ARRAY(
  SELECT own.id FROM unnest($1) AS person (id) CROSS JOIN LATERAL (
    SELECT id FROM {{schema}}.dose_analytics
    WHERE user_id = person.id AND period_kind = ANY ($2) AND period_end BETWEEN $3 AND $4
    OFFSET 0
  ) AS own
  WHERE own.id NOT IN (SELECT id FROM pg_temp.{{staging}})
))

-- The computed scores of the staged persons and days, all of them among the persons $1 and from $2 to $3:
-- without these limits the planner, who knows nothing of the staged rows, would rather go through the whole
-- table once than look each of them up. A source that is an enumeration need not have the word.
-- name: RemoveScores :exec
DELETE FROM {{schema}}.vitality_scores AS stored USING pg_temp.{{staging}} AS staged
WHERE stored.user_id = ANY ($1) AND stored.score_date BETWEEN $2 AND $3
  AND stored.user_id = staged.user_id AND stored.score_date = staged.score_date
  AND stored.source::text = 'vigil'

-- name: PutTrendCoverages :exec
INSERT INTO {{schema}}.trend_coverage ({{coverage_written}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
{{coverage_replacement}}
WHERE excluded.evaluated_on >= trend_coverage.evaluated_on
  AND ({{trend_coverage.coverage_figures}}) IS DISTINCT FROM ({{excluded.coverage_figures}})

-- name: PutInsights :exec
INSERT INTO {{schema}}.trend_insights ({{insight_written}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
{{insight_replacement}}
WHERE ({{trend_insights.insight_figures}}) IS DISTINCT FROM ({{excluded.insight_figures}})

-- Insights of the persons $1, of days from $2 to $3 and of the rules $6, except for those that are staged; the
-- run is $4, the time $5. NOT IN is one table of hashes whatever the planner knows; NOT EXISTS compared each with
-- each in a table that was never analyzed.
-- name: RetractOtherInsights :exec
UPDATE {{schema}}.trend_insights
SET suppressed_reason = 'retracted', run_id = $4, updated_at = $5
WHERE user_id = ANY ($1) AND insight_date BETWEEN $2 AND $3
  AND coalesce(suppressed_reason, '') <> 'retracted' AND rule = ANY ($6)
  AND id NOT IN (SELECT id FROM pg_temp.{{staging}})

-- Co-occurrences of the persons $1 that one of the alerts $4 is part of; the run is $2, the time $3.
-- name: RetractCooccurrences :exec
UPDATE {{schema}}.trend_insights
SET suppressed_reason = 'retracted', run_id = $2, updated_at = $3
WHERE user_id = ANY ($1) AND suppressed_reason IS NULL AND rule = 'concurrent_episodes'
  AND (alert_state_id = ANY ($4) OR related_alert_state_id = ANY ($4))

-- Co-occurrences of the persons $1 of two of the alerts $4, except for those that are staged; the run is $2, the
-- time $3. Both alerts of a row are those of its person, so that one list of all persons' will do.
-- name: RetractOtherCooccurrences :exec
UPDATE {{schema}}.trend_insights
SET suppressed_reason = 'retracted', run_id = $2, updated_at = $3
WHERE user_id = ANY ($1) AND suppressed_reason IS NULL AND rule = 'concurrent_episodes'
  AND alert_state_id = ANY ($4) AND related_alert_state_id = ANY ($4)
  AND id NOT IN (SELECT id FROM pg_temp.{{staging}})
