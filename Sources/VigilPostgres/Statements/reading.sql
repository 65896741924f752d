-- Rows of input of the persons of a batch, in tables and views that may be an app's.
--
-- A COPY takes no parameters: {{persons}}, {{first_day}} and {{last_day}} are ids and days in the spelling of
-- their types.

-- In the order of the primary key, so that the rows of a person come together.
-- name: CopyMetrics :copy
COPY (
  SELECT {{metric_columns}} FROM {{schema}}.wearable_daily_metrics
  WHERE user_id = ANY ({{persons}}) AND metric_date BETWEEN {{first_day}} AND {{last_day}}
  ORDER BY user_id, metric_date, source
) TO STDOUT (FORMAT binary)

-- The rows of each person from a day of their own on. The order of the persons is kept, as each is looked up by itself.
-- name: CopyNewestMetrics :copy
COPY (
  SELECT {{metric_columns}}
  FROM unnest({{persons}}, {{first_days}}) AS own (person, first_day)
  CROSS JOIN LATERAL (
    SELECT * FROM {{schema}}.wearable_daily_metrics
    WHERE user_id = own.person AND metric_date BETWEEN own.first_day AND {{last_day}}
    ORDER BY user_id, metric_date, source
    OFFSET 0
  ) AS newest
) TO STDOUT (FORMAT binary)

-- name: CopyScores :copy
COPY (
  SELECT user_id::uuid, score_date::date, total_score::double precision,
    sleep_score::double precision, movement_score::double precision,
    stress_score::double precision, schema_version::text, source::text
  FROM {{schema}}.vitality_scores
  WHERE user_id = ANY ({{persons}}) AND score_date BETWEEN {{first_day}} AND {{last_day}}
  ORDER BY user_id, score_date, source::text COLLATE "C"
) TO STDOUT (FORMAT binary)

-- Figures that change with the input of the persons $1 from $2 to $3; {{update}} is NULL where a view has no
-- updated_at.
-- name: FingerprintInput :many
SELECT count(*), max({{update}}) FILTER (WHERE isfinite({{update}})),
  CASE count(*) FILTER (WHERE isfinite({{update}})) WHEN count(*) THEN coalesce(
    sum(floor(extract(epoch FROM {{update}}))) FILTER (WHERE isfinite({{update}})), 0
  )::bigint END,
  (
    SELECT count(*) FROM {{schema}}.exercise_sessions
    WHERE user_id = ANY ($1) AND metric_date BETWEEN $2 AND $3
  )
FROM {{schema}}.wearable_daily_metrics
WHERE user_id = ANY ($1) AND metric_date BETWEEN $2 AND $3

-- name: ListProfiles :many
SELECT {{profile_columns}} FROM {{schema}}.user_profiles WHERE user_id = ANY ($1)

-- A view may have other types.
-- name: ListDoNotDisturb :many
SELECT user_id, CAST(weekday AS integer) AS weekday, CAST(starts_at AS text) AS starts_at,
  CAST(ends_at AS text) AS ends_at
FROM {{schema}}.do_not_disturb
WHERE user_id = ANY ($1) AND weekday BETWEEN 0 AND 6
ORDER BY user_id, weekday, starts_at

-- By day from $1 to $2, the persons with a metric row, of the first $3 persons who have any. LIMIT and OFFSET keep the
-- planner from making one join of it, for which it might go through all rows. The days of a person come in order, so
-- that nothing is sorted.
-- name: CountSendersByDay :many
SELECT own.metric_date, count(*) AS persons
FROM (
  SELECT id FROM {{schema}}.users
  WHERE (
    SELECT TRUE FROM {{schema}}.wearable_daily_metrics
    WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2 LIMIT 1
  )
  ORDER BY id LIMIT $3
) AS person
CROSS JOIN LATERAL (
  SELECT DISTINCT metric_date FROM {{schema}}.wearable_daily_metrics
  WHERE user_id = person.id AND metric_date BETWEEN $1 AND $2
  OFFSET 0
) AS own
GROUP BY own.metric_date

-- By day of UTC with a dose row from $1 to before $2, the persons with one: of the first $3 persons by their ids who
-- have an active schedule. OFFSET keeps the days of each person apart: nothing large is sorted. LIMIT keeps the planner
-- from a join of all persons. The columns are those of Statements/doses.sql.
-- name: CountDoseSendersByDay :many
WITH person AS MATERIALIZED (
  SELECT id FROM {{schema}}.users
  WHERE (
    SELECT TRUE FROM {{schema}}.medications
    WHERE user_id = users.id AND coalesce({{medication_is_active}}, 1) = 1
      AND (
        SELECT TRUE FROM {{schema}}.schedules
        WHERE medication_id = medications.id AND coalesce({{schedule_is_active}}, 1) = 1 LIMIT 1
      )
    LIMIT 1
  )
  ORDER BY id LIMIT $3
)
SELECT own.day, count(*) AS persons
FROM person
CROSS JOIN LATERAL (
  SELECT DISTINCT sent.day
  FROM {{schema}}.medications AS medication
  CROSS JOIN LATERAL (
    SELECT ({{scheduled_instant}} AT TIME ZONE 'UTC')::date AS day FROM {{schema}}.dose_history
    WHERE medication_id = medication.id
      AND {{scheduled_time}} >= {{first_scheduled}} AND {{scheduled_time}} < {{last_scheduled}}
    UNION ALL
    SELECT ({{actual_instant}} AT TIME ZONE 'UTC')::date AS day FROM {{schema}}.dose_history
    WHERE medication_id = medication.id AND {{scheduled_time}} IS NULL
      AND {{actual_time}} >= {{first_actual}} AND {{actual_time}} < {{last_actual}}
  ) AS sent
  WHERE medication.user_id = person.id
  OFFSET 0
) AS own
GROUP BY own.day

-- MARK: Medications

-- The rows of which a column is one of $1.
-- name: ListMedicationRows :many
SELECT {{columns}} FROM {{schema}}.{{table}} WHERE {{key}} = ANY ($1)

-- name: ListScheduleVersions :many
SELECT schedule_id, valid_from, row FROM {{schema}}.schedule_versions
WHERE schedule_id = ANY ($1) ORDER BY schedule_id, valid_from

-- The last evaluated day of each of the persons $1: one step into the index for each.
-- name: ListLastEvaluatedDays :many
SELECT person.id, newest.period_end FROM unnest($1) AS person (id)
CROSS JOIN LATERAL (
  SELECT period_end FROM {{schema}}.dose_analytics
  WHERE user_id = person.id AND period_kind = '7_days'
  ORDER BY user_id DESC, period_kind DESC, period_end DESC LIMIT 1
) AS newest

-- Whether the constraints of the table rule out a medication without a person; no row without such a table.
-- name: FindMedicationOwnerRule :many
SELECT attnotnull AND EXISTS (
  SELECT FROM pg_catalog.pg_constraint
  WHERE conrelid = attrelid AND contype = 'f' AND convalidated AND conkey = ARRAY[attnum]
    AND confrelid = (SELECT own.oid FROM {{relations}} AS own WHERE own.relname = 'users')
)
FROM pg_catalog.pg_attribute
WHERE attname = 'user_id'
  AND attrelid = (SELECT own.oid FROM {{relations}} AS own WHERE own.relname = 'medications')

-- Medications whose person is not in users, and whether they name one.
-- name: ListOwnerlessMedications :many
SELECT id::text, user_id IS NOT NULL FROM {{schema}}.medications
WHERE coalesce({{is_deleted}}, 0) = 0
  AND NOT EXISTS (SELECT FROM {{schema}}.users WHERE users.id = medications.user_id)
ORDER BY id

-- MARK: Unusable rows

-- What the constraints of the table $1 promise: that each row has a person, a known one, and a date in the column
-- $2 that the constraint $3 checks. No row without such a table.
-- name: FindInputRules :many
SELECT
  person.attnotnull,
  EXISTS (
    SELECT FROM pg_catalog.pg_constraint
    WHERE conrelid = person.attrelid AND contype = 'f' AND convalidated
      AND conkey = ARRAY[person.attnum]
      AND confrelid = (SELECT own.oid FROM {{relations}} AS own WHERE own.relname = 'users')
  ),
  date.attnotnull AND EXISTS (
    SELECT FROM pg_catalog.pg_constraint
    WHERE conrelid = person.attrelid AND contype = 'c' AND convalidated AND conname = $3
  )
FROM pg_catalog.pg_attribute AS person
JOIN pg_catalog.pg_attribute AS date ON date.attrelid = person.attrelid AND date.attname = $2
WHERE person.attname = 'user_id'
  AND person.attrelid = (SELECT own.oid FROM {{relations}} AS own WHERE own.relname = $1)

-- Persons of a table who are not in users, or have a row without a possible date: one step along the index from
-- the last row of a person to that of the one before. No date and infinity are the last there are.
-- name: ListSuspects :many
WITH RECURSIVE person (id, latest) AS (
  (
    SELECT user_id, {{date}} FROM {{schema}}.{{table}} WHERE user_id IS NOT NULL
    ORDER BY user_id DESC, {{date}} DESC LIMIT 1
  )
  UNION ALL
  SELECT previous.user_id, previous.{{date}} FROM person CROSS JOIN LATERAL (
    SELECT user_id, {{date}} FROM {{schema}}.{{table}} WHERE user_id < person.id
    ORDER BY user_id DESC, {{date}} DESC LIMIT 1
  ) AS previous
), judged AS (
  SELECT
    id,
    NOT EXISTS (SELECT FROM {{schema}}.users WHERE users.id = person.id) AS is_stranger,
    latest IS NULL OR latest > DATE '9999-12-31' OR coalesce((
      SELECT TRUE FROM {{schema}}.{{table}}
      WHERE user_id = person.id AND {{date}} < DATE '0001-01-01' LIMIT 1
    ), FALSE) AS has_bad_date
  FROM person
)
SELECT id, is_stranger, has_bad_date FROM judged WHERE is_stranger OR has_bad_date

-- The next four list unusable rows by the parts of their keys as text, the first of them, and how many there are
-- in all. What Vigil has computed is no input.

-- Rows without a person, from $1 to $2 or on no day of the calendar; the first $3.
-- name: ListRowsWithoutPerson :many
SELECT count(*) OVER (), {{key_texts}} FROM {{schema}}.{{table}}
WHERE user_id IS NULL
  AND (
    {{date}} BETWEEN $1 AND $2 OR {{date}} IS NULL
    OR {{date}} NOT BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
  )
  AND coalesce(CAST({{origin}} AS text), '') <> 'vigil'
ORDER BY user_id, {{date}} LIMIT $3

-- Rows of the persons $4, who are not in users, from $1 to $2; the first $3.
-- name: ListRowsOfStrangers :many
SELECT count(*) OVER (), {{key_texts}} FROM {{schema}}.{{table}}
WHERE user_id = ANY ($4) AND {{date}} BETWEEN $1 AND $2
  AND coalesce(CAST({{origin}} AS text), '') <> 'vigil'
ORDER BY user_id, {{date}} LIMIT $3

-- Rows of the persons $2 without a date; the first $1.
-- name: ListRowsWithoutDate :many
SELECT count(*) OVER (), {{key_texts}} FROM {{schema}}.{{table}}
WHERE user_id = ANY ($2) AND {{date}} IS NULL
  AND coalesce(CAST({{origin}} AS text), '') <> 'vigil'
ORDER BY user_id, {{date}} LIMIT $1

-- Rows of the persons $2 on no day of the calendar; the first $1.
-- name: ListRowsOfImpossibleDates :many
SELECT count(*) OVER (), {{key_texts}} FROM {{schema}}.{{table}}
WHERE user_id = ANY ($2) AND {{date}} NOT BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
  AND coalesce(CAST({{origin}} AS text), '') <> 'vigil'
ORDER BY user_id, {{date}} LIMIT $1
