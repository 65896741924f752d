-- Rows of the persons of a batch ($1), beside their input.

-- Alert states about the persons themselves, of the profile $3, that are active, or were evaluated or resolved on $2 or later.
-- name: ListAlertStatesTouchedSince :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE profile = $3 AND user_id = ANY ($1)
  AND medication_id IS NULL
  AND (episode_status = 'active' OR last_evaluated_date >= $2 OR resolved_on >= $2)
ORDER BY profile, user_id, metric_type, pattern_type, active_since

-- Alert states about medications, of any profile, that are active, or were evaluated or resolved on $2 or later.
-- name: ListAlertStatesOfMedications :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE user_id = ANY ($1) AND medication_id IS NOT NULL
  AND (episode_status = 'active' OR last_evaluated_date >= $2 OR resolved_on >= $2)
ORDER BY user_id, metric_type, medication_id, active_since, profile

-- Here $1 is the alerts.
-- name: ListAlertStatesWithIDs :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state WHERE id = ANY ($1)

-- Which of the alerts $1 a member has read.
-- name: ListReadAlerts :many
SELECT DISTINCT alert_state_id FROM {{schema}}.alert_reads WHERE alert_state_id = ANY ($1)

-- By the place of the person, from 1: the members of the families in which they have accepted.
-- name: ListFamilyMembers :many
SELECT person.number, member.family_id, member.user_id, member.role, member.invite_status
FROM unnest($1) WITH ORDINALITY AS person (id, number)
JOIN {{schema}}.family_members AS own ON own.user_id = person.id
JOIN {{schema}}.family_members AS member ON member.family_id = own.family_id
WHERE own.invite_status = 'accepted'
ORDER BY person.number, member.family_id, member.user_id

-- name: ListExclusions :many
SELECT subject_user_id, excluded_user_id FROM {{schema}}.alert_recipient_exclusions
WHERE subject_user_id = ANY ($1)

-- By the place of the person, from 1: days from $2 to $3 with an exercise session. Every day between two days is
-- one, so that no session has to be named.
-- name: ListWorkoutDays :many
SELECT person.number, session.metric_date, CAST(NULL AS text) AS id
FROM unnest($1) WITH ORDINALITY AS person (id, number)
JOIN {{schema}}.exercise_sessions AS session ON session.user_id = person.id
WHERE session.metric_date BETWEEN $2 AND $3
ORDER BY person.number, session.metric_date

-- By the place of the person, from 1. A view of other data may have an instant in place of the date.
-- name: ListBirthDates :many
SELECT person.number, CAST(own.birth_date AS date) AS birth_date
FROM unnest($1) WITH ORDINALITY AS person (id, number)
JOIN {{schema}}.users AS own ON own.id = person.id
WHERE own.birth_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'

-- The rows of the persons themselves, of the kind of period $2, that end from $3 to $4. OFFSET keeps the planner
-- from making one join of it, for which it might go through all rows.
-- name: ListDoseTotals :many
SELECT {{analytics_columns}}
FROM (SELECT DISTINCT unnest($1)) AS person (id) CROSS JOIN LATERAL (
  SELECT {{analytics_columns}} FROM {{schema}}.dose_analytics
  WHERE user_id = person.id AND period_kind = $2 AND period_end BETWEEN $3 AND $4
    AND medication_id IS NULL
  OFFSET 0
) AS own

-- By the place of the person, from 1: check-ins from $2 to $3, and the newest before $2.
-- name: ListCheckIns :many
SELECT person.number, own.checked_in_at
FROM unnest($1) WITH ORDINALITY AS person (id, number)
JOIN {{schema}}.check_ins AS own ON own.user_id = person.id
WHERE own.checked_in_at BETWEEN $2 AND $3
UNION ALL
SELECT person.number, newest.checked_in_at
FROM unnest($1) WITH ORDINALITY AS person (id, number)
CROSS JOIN LATERAL (
  SELECT earlier.checked_in_at FROM {{schema}}.check_ins AS earlier
  WHERE earlier.user_id = person.id AND earlier.checked_in_at < $2
    AND earlier.checked_in_at >= TIMESTAMPTZ '0001-01-01 00:00:00Z'
  ORDER BY earlier.user_id DESC, earlier.checked_in_at DESC LIMIT 1
) AS newest
ORDER BY 1, 2

-- By the place of the person, from 1. A view may have other numbers than a plan can have.
-- name: ListCheckInPlans :many
SELECT person.number, CAST(own.interval_minutes AS bigint) AS interval_minutes,
  CAST(own.grace_minutes AS bigint) AS grace_minutes, own.starts_at
FROM unnest($1) WITH ORDINALITY AS person (id, number)
JOIN {{schema}}.check_in_plans AS own ON own.user_id = person.id

-- By the place of the person, from 1. A view may have other words than a person can choose, or none.
-- name: ListSensitivities :many
SELECT person.number, CAST(own.metric_type AS text) AS metric_type,
  CAST(own.sensitivity AS text) AS sensitivity
FROM unnest($1) WITH ORDINALITY AS person (id, number)
JOIN {{schema}}.sensitivity_overrides AS own ON own.user_id = person.id

-- By the place of the person, from 1. A view may have other words than the table takes, or none.
-- name: ListLimits :many
SELECT person.number, CAST(own.metric_type AS text) AS metric_type,
  CAST(own.direction AS text) AS direction, CAST(own.limit_value AS double precision) AS limit_value,
  CAST(own.days AS bigint) AS days, CAST(own.severity AS text) AS severity, own.starts_on, own.ends_on,
  CAST(own.set_by AS text) AS set_by
FROM unnest($1) WITH ORDINALITY AS person (id, number)
JOIN {{schema}}.person_limits AS own ON own.user_id = person.id
ORDER BY person.number, own.metric_type, own.direction, own.days, own.starts_on
