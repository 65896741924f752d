-- Rows of input, person by person, and the persons who have something to evaluate.

-- The metrics of the person $1 from $2 to $3.
-- name: ListMetrics :many
SELECT {{metric_columns}} FROM {{schema}}.wearable_daily_metrics
WHERE user_id = $1 AND metric_date BETWEEN $2 AND $3
ORDER BY metric_date, source

-- name: ListScoresOfPerson :many
SELECT score_date, total_score, sleep_score, movement_score, stress_score, schema_version, source
FROM {{schema}}.vitality_scores
WHERE user_id = $1 AND score_date BETWEEN $2 AND $3
ORDER BY score_date

-- Figures that change with the input of the person $1 from $2 to $3.
-- name: FingerprintInput :many
SELECT count(*), max(updated_at), sum(CAST(strftime('%s', updated_at) AS INTEGER)),
  count(strftime('%s', updated_at)),
  (
    SELECT count(*) FROM {{schema}}.exercise_sessions
    WHERE user_id = $1 AND metric_date BETWEEN $2 AND $3
  )
FROM {{schema}}.wearable_daily_metrics
WHERE user_id = $1 AND metric_date BETWEEN $2 AND $3

-- name: ListProfiles :many
SELECT {{profile_columns}} FROM {{schema}}.user_profiles WHERE user_id = $1

-- name: ListDoNotDisturb :many
SELECT user_id, weekday, starts_at, ends_at FROM {{schema}}.do_not_disturb WHERE user_id = $1
ORDER BY weekday, starts_at

-- The days from $1 to $2 with a metric row of the first $3 persons who have any, person by person in the order of the
-- key: sorting them by days would take longer than all else of an evaluation of one person.
-- name: ListSenderDays :many
SELECT own.metric_date, own.user_id
FROM (
  SELECT id FROM {{schema}}.users
  WHERE EXISTS (
    SELECT 1 FROM {{schema}}.wearable_daily_metrics
    WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
  )
  ORDER BY id LIMIT $3
) AS person
CROSS JOIN {{schema}}.wearable_daily_metrics AS own
WHERE own.user_id = person.id AND own.metric_date BETWEEN $1 AND $2

-- The days of UTC, and the time after them, of the dose rows from $1 to before $2 of the first $3 persons by their ids
-- who have an active schedule; the persons are numbered from 0. The rows come in no order, as nothing is sorted.
-- name: ListDoseSenderTimes :many
WITH person AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY id) - 1 AS number
  FROM (
    SELECT id FROM {{schema}}.users
    WHERE EXISTS (
      SELECT 1 FROM {{schema}}.medications AS medication
      JOIN {{schema}}.schedules AS schedule ON schedule.medication_id = medication.id
      WHERE medication.user_id = users.id AND medication.is_active AND schedule.is_active
    )
    ORDER BY id LIMIT $3
  )
)
SELECT own.scheduled_time, person.number
FROM person
JOIN {{schema}}.medications AS medication ON medication.user_id = person.id
JOIN {{schema}}.dose_history AS own ON own.medication_id = medication.id
WHERE own.scheduled_time >= $1 AND own.scheduled_time < $2
UNION ALL
SELECT own.actual_time, person.number
FROM person
JOIN {{schema}}.medications AS medication ON medication.user_id = person.id
JOIN {{schema}}.dose_history AS own ON own.medication_id = medication.id
WHERE own.scheduled_time IS NULL AND own.actual_time >= $1 AND own.actual_time < $2

-- name: CountMetrics :many
SELECT count(*) FROM {{schema}}.wearable_daily_metrics

-- MARK: Medications

-- The rows of which a column is $1.
-- name: ListMedicationRows :many
SELECT {{columns}} FROM {{schema}}.{{table}} WHERE {{key}} = $1 ORDER BY id

-- name: ListScheduleVersions :many
SELECT schedule_id, valid_from, row FROM {{schema}}.schedule_versions
WHERE schedule_id = $1 ORDER BY valid_from

-- name: FindLastEvaluatedDay :many
SELECT max(period_end) FROM {{schema}}.dose_analytics
WHERE user_id = $1 AND period_kind = '7_days'

-- Doses of the medication $1 that were due or taken from $2 to $3. Most doses are taken within a day of the time
-- for which they were planned, and are found by one range, from $4 to $5, of the index on the medication and
-- scheduled_time. Those without such a time, or far off it, have an index of their own, whose predicate stands here
-- word by word. Each dose meets one of the two conditions, or none.
-- name: ListDoses :many
SELECT {{dose_columns}} FROM {{schema}}.dose_history
WHERE medication_id = $1 AND scheduled_time BETWEEN $4 AND $5
  AND (scheduled_time BETWEEN $2 AND $3 OR actual_time BETWEEN $2 AND $3)
UNION ALL
SELECT {{dose_columns}} FROM {{schema}}.dose_history
WHERE medication_id = $1
  AND coalesce(
    abs(julianday(actual_time) - julianday(scheduled_time)) > 1, actual_time IS NOT NULL
  )
  AND actual_time BETWEEN $2 AND $3 AND (scheduled_time BETWEEN $4 AND $5) IS NOT TRUE

-- MARK: Persons

-- Persons with metrics or scores from $1 to $2, an active alert, or a trend to follow: one look into each index per
-- person, never a scan of the metrics.
-- name: has_measurements :part
EXISTS (
  SELECT 1 FROM {{schema}}.wearable_daily_metrics
  WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
) OR EXISTS (
  SELECT 1 FROM {{schema}}.pattern_alert_state
  WHERE user_id = users.id AND episode_status = 'active'
) OR EXISTS (
  SELECT 1 FROM {{schema}}.vitality_scores
  WHERE user_id = users.id AND score_date BETWEEN $1 AND $2 AND source <> 'vigil'
) OR EXISTS (
  SELECT 1 FROM {{schema}}.trend_coverage
  WHERE user_id = users.id AND coverage_days > 0 AND evaluated_on >= $1
)

-- name: ListPersonsWithMeasurements :many
SELECT id FROM {{schema}}.users
WHERE {{has_measurements}}
ORDER BY id

-- The same with those who have doses or schedules, and those whose last medication is gone while what was evaluated
-- of it is there. Doses are found from $3 to $4, by the range from $5 to $6, as in ListDoses.
-- name: ListPersonsWithData :many
SELECT id FROM {{schema}}.users
WHERE {{has_measurements}}
  OR EXISTS (
    SELECT 1 FROM {{schema}}.medications WHERE user_id = users.id AND is_deleted = 0 AND (
      EXISTS (
        SELECT 1 FROM {{schema}}.schedules
        WHERE medication_id = medications.id AND start_date <= $2
          AND (end_date >= $1 OR (end_date IS NULL AND is_active = 1))
      ) OR EXISTS (
        SELECT 1 FROM {{schema}}.dose_history
        WHERE medication_id = medications.id AND scheduled_time BETWEEN $5 AND $6
          AND (scheduled_time BETWEEN $3 AND $4 OR actual_time BETWEEN $3 AND $4)
      ) OR EXISTS (
        SELECT 1 FROM {{schema}}.dose_history
        WHERE medication_id = medications.id
          AND coalesce(
            abs(julianday(actual_time) - julianday(scheduled_time)) > 1, actual_time IS NOT NULL
          )
          AND actual_time BETWEEN $3 AND $4 AND (scheduled_time BETWEEN $5 AND $6) IS NOT TRUE
      )
    )
  )
  OR EXISTS (
    SELECT 1 FROM {{schema}}.dose_analytics
    WHERE user_id = users.id AND period_kind = '7_days' AND period_end BETWEEN $1 AND $2
  ) AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.medications
    WHERE user_id = users.id AND is_deleted = 0 AND (is_active = 1 OR end_date IS NOT NULL)
  )
ORDER BY id

-- MARK: Unusable rows

-- Medications whose person is not in users.
-- name: ListOwnerlessMedications :many
SELECT id FROM {{schema}}.medications
WHERE is_deleted = 0
  AND NOT EXISTS (SELECT 1 FROM {{schema}}.users WHERE users.id = medications.user_id)
ORDER BY id

-- Persons of a table who are not in users, whatever text their ids are: one step along the key from each person to
-- the next.
-- name: ListStrangers :many
WITH RECURSIVE person (id) AS (
  SELECT min(user_id) FROM {{schema}}.{{table}}
  UNION ALL
  SELECT (SELECT min(user_id) FROM {{schema}}.{{table}} WHERE user_id > person.id)
  FROM person WHERE person.id IS NOT NULL
)
SELECT id FROM person
WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {{schema}}.users WHERE users.id = person.id)

-- The keys of the rows of the person $1 from $2 to $3; what Vigil has computed is no input.
-- name: ListRowsOfStranger :many
SELECT {{key}} FROM {{schema}}.{{table}}
WHERE user_id = $1 AND {{date}} BETWEEN $2 AND $3
  AND coalesce(CAST({{origin}} AS text), '') <> 'vigil'
