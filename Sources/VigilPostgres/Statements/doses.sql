-- Doses that were due or taken between two instants, and the persons who have something to evaluate.
--
-- Both times of a dose may have types of an app: {{scheduled_time}} and {{actual_time}} are the columns, or NULL
-- where there is none, and {{first_scheduled}}, {{last_scheduled}}, {{first_actual}} and {{last_actual}} are the
-- instants in their types, so that an index is of use.
--
-- Most doses are taken within a day of the time for which they were planned, and are found by one range of an index
-- on the medication and scheduled_time. Those without such a time, or far off it, have an index of their own.

-- name: is_due_or_taken :part
({{scheduled_time}} BETWEEN {{first_scheduled}} AND {{last_scheduled}}
  OR {{actual_time}} BETWEEN {{first_actual}} AND {{last_actual}})

-- name: is_near :part
scheduled_time BETWEEN
  {{first_scheduled}} - INTERVAL '24 hours' AND {{last_scheduled}} + INTERVAL '24 hours'

-- As the predicate of the index has it, word by word.
-- name: is_off_schedule :part
CASE
  WHEN isfinite(scheduled_time) AND isfinite(actual_time)
    THEN actual_time - scheduled_time NOT BETWEEN INTERVAL '-24 hours' AND INTERVAL '24 hours'
  ELSE actual_time IS NOT NULL
END AND actual_time BETWEEN {{first_actual}} AND {{last_actual}}
  AND ({{is_near}}) IS NOT TRUE

-- The medications whose doses are searched, each from an instant of its own on.
-- name: searched :part
unnest({{medications}}, {{first_scheduled_times}}, {{first_actual_times}})
  AS searched (medication, first_scheduled, first_actual)

-- All in one scan.
-- name: doses_together :part
SELECT {{dose_columns}} FROM {{schema}}.dose_history
JOIN {{searched}} ON medication_id = searched.medication
WHERE {{is_due_or_taken}}

-- Those near the time for which they were planned, and those off schedule: each dose is one of them, or neither.
-- name: doses_apart :part
SELECT dose.* FROM {{searched}} CROSS JOIN LATERAL (
  SELECT {{dose_columns}} FROM {{schema}}.dose_history
  WHERE medication_id = searched.medication AND {{is_near}} AND {{is_due_or_taken}}
  UNION ALL
  SELECT {{dose_columns}} FROM {{schema}}.dose_history
  WHERE medication_id = searched.medication AND {{is_off_schedule}}
) AS dose

-- A COPY takes no parameters: the ids and instants are in the spelling of their types.
-- name: CopyDosesTogether :copy
COPY ({{doses_together}}) TO STDOUT (FORMAT binary)

-- name: CopyDosesApart :copy
COPY ({{doses_apart}}) TO STDOUT (FORMAT binary)

-- name: ExplainDosesTogether :many
EXPLAIN (FORMAT JSON) {{doses_together}}

-- name: ExplainDosesApart :many
EXPLAIN (FORMAT JSON) {{doses_apart}}

-- MARK: Persons

-- Persons with metrics or scores from $1 to $2, an active alert, or a trend to follow: one look into each index per
-- person, never a scan of the metrics. LIMIT keeps the planner from making joins of the subqueries.
-- name: has_measurements :part
(
  SELECT TRUE FROM {{schema}}.wearable_daily_metrics
  WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2 LIMIT 1
) OR (
  SELECT TRUE FROM {{schema}}.pattern_alert_state
  WHERE user_id = users.id AND episode_status = 'active' LIMIT 1
) OR (
  SELECT TRUE FROM {{schema}}.vitality_scores
  WHERE user_id = users.id AND score_date BETWEEN $1 AND $2
    AND source::text <> 'vigil' LIMIT 1
) OR (
  SELECT TRUE FROM {{schema}}.trend_coverage
  WHERE user_id = users.id AND coverage_days > 0 AND evaluated_on >= $1 LIMIT 1
)

-- A medication with a schedule on these days.
-- name: has_schedule :part
(
  SELECT TRUE FROM {{schema}}.schedules
  WHERE medication_id = medications.id AND start_date <= $2 AND (
    {{schedule_end}} >= $1
    OR ({{schedule_end}} IS NULL AND coalesce({{schedule_is_active}}, 1) = 1)
  ) LIMIT 1
)

-- Persons whose last medication is gone while what was evaluated of it is there.
-- name: has_leftovers :part
(
  SELECT TRUE FROM {{schema}}.dose_analytics
  WHERE user_id = users.id AND period_kind = '7_days' AND period_end BETWEEN $1 AND $2
  LIMIT 1
) AND (
  SELECT TRUE FROM {{schema}}.medications
  WHERE user_id = users.id AND coalesce({{is_deleted}}, 0) = 0
    AND (coalesce({{medication_is_active}}, 1) = 1 OR {{medication_end}} IS NOT NULL)
  LIMIT 1
) IS NULL

-- name: ListPersonsWithMeasurements :many
SELECT id FROM {{schema}}.users
WHERE {{has_measurements}}
ORDER BY id

-- The same with those who have doses or schedules, and leftovers; $3 and $4 are the instants of the days.
-- name: ListPersonsWithDataTogether :many
SELECT id FROM {{schema}}.users
WHERE {{has_measurements}}
  OR (
    SELECT TRUE FROM {{schema}}.medications
    WHERE user_id = users.id AND coalesce({{is_deleted}}, 0) = 0
      AND (
        {{has_schedule}}
        OR (
          SELECT TRUE FROM {{schema}}.dose_history
          WHERE medication_id = medications.id AND {{is_due_or_taken}} LIMIT 1
        )
      )
    LIMIT 1
  )
  OR {{has_leftovers}}
ORDER BY id

-- name: ListPersonsWithDataApart :many
SELECT id FROM {{schema}}.users
WHERE {{has_measurements}}
  OR (
    SELECT TRUE FROM {{schema}}.medications
    WHERE user_id = users.id AND coalesce({{is_deleted}}, 0) = 0
      AND (
        {{has_schedule}}
        OR (
          SELECT TRUE FROM {{schema}}.dose_history
          WHERE medication_id = medications.id AND {{is_near}} AND {{is_due_or_taken}} LIMIT 1
        )
        OR (
          SELECT TRUE FROM {{schema}}.dose_history
          WHERE medication_id = medications.id AND {{is_off_schedule}} LIMIT 1
        )
      )
    LIMIT 1
  )
  OR {{has_leftovers}}
ORDER BY id
