-- Rows of the persons of a batch ($1), beside their input.

-- Alert states about the persons themselves, of the profile $3, that are active, or were evaluated or resolved on $2 or later.
-- name: ListAlertStatesTouchedSince :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE profile = $3 AND user_id IN (SELECT value FROM json_each($1))
  AND medication_id IS NULL
  AND (episode_status = 'active' OR last_evaluated_date >= $2 OR resolved_on >= $2)
ORDER BY profile, user_id, metric_type, pattern_type, active_since

-- Alert states about medications, of any profile, that are active, or were evaluated or resolved on $2 or later.
-- name: ListAlertStatesOfMedications :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE user_id IN (SELECT value FROM json_each($1)) AND medication_id IS NOT NULL
  AND (episode_status = 'active' OR last_evaluated_date >= $2 OR resolved_on >= $2)
ORDER BY user_id, metric_type, medication_id, active_since, profile

-- Here $1 is the alerts.
-- name: ListAlertStatesWithIDs :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state WHERE id IN (SELECT value FROM json_each($1))

-- Which of the alerts $1 a member has read.
-- name: ListReadAlerts :many
SELECT DISTINCT alert_state_id FROM {{schema}}.alert_reads
WHERE alert_state_id IN (SELECT value FROM json_each($1))

-- By the place of the person, from 1: the members of the families in which they have accepted.
-- name: ListFamilyMembers :many
SELECT person.key + 1 AS number, member.family_id, member.user_id, member.role, member.invite_status
FROM json_each($1) AS person
JOIN {{schema}}.family_members AS own ON own.user_id = person.value
JOIN {{schema}}.family_members AS member ON member.family_id = own.family_id
WHERE own.invite_status = 'accepted'
ORDER BY person.key, member.family_id, member.user_id

-- name: ListExclusions :many
SELECT subject_user_id, excluded_user_id FROM {{schema}}.alert_recipient_exclusions
WHERE subject_user_id IN (SELECT value FROM json_each($1))

-- By the place of the person, from 1: days from $2 to $3 with an exercise session, and the session.
-- name: ListWorkoutDays :many
SELECT person.key + 1 AS number, session.metric_date, session.id
FROM json_each($1) AS person
JOIN {{schema}}.exercise_sessions AS session ON session.user_id = person.value
WHERE session.metric_date BETWEEN $2 AND $3
ORDER BY person.key, session.metric_date

-- By the place of the person, from 1.
-- name: ListBirthDates :many
SELECT person.key + 1 AS number, own.birth_date
FROM json_each($1) AS person
JOIN {{schema}}.users AS own ON own.id = person.value
WHERE own.birth_date IS NOT NULL

-- The rows of the persons themselves, of the kind of period $2, that end from $3 to $4.
-- name: ListDoseTotals :many
SELECT {{analytics_columns}} FROM {{schema}}.dose_analytics
WHERE user_id IN (SELECT value FROM json_each($1)) AND period_kind = $2 AND period_end BETWEEN $3 AND $4 AND medication_id IS NULL

-- By the place of the person, from 1: check-ins from $2 to $3, and the newest before $2.
-- name: ListCheckIns :many
SELECT person.key + 1 AS number, own.checked_in_at
FROM json_each($1) AS person
JOIN {{schema}}.check_ins AS own ON own.user_id = person.value
WHERE own.checked_in_at BETWEEN $2 AND $3
UNION ALL
SELECT person.key + 1, (
  SELECT max(earlier.checked_in_at) FROM {{schema}}.check_ins AS earlier
  WHERE earlier.user_id = person.value AND earlier.checked_in_at < $2
)
FROM json_each($1) AS person
ORDER BY 1, 2

-- By the place of the person, from 1.
-- name: ListCheckInPlans :many
SELECT person.key + 1 AS number, own.interval_minutes, own.grace_minutes, own.starts_at
FROM json_each($1) AS person
JOIN {{schema}}.check_in_plans AS own ON own.user_id = person.value

-- By the place of the person, from 1.
-- name: ListSensitivities :many
SELECT person.key + 1 AS number, own.metric_type, own.sensitivity
FROM json_each($1) AS person
JOIN {{schema}}.sensitivity_overrides AS own ON own.user_id = person.value

-- By the place of the person, from 1.
-- name: ListLimits :many
SELECT person.key + 1 AS number, own.metric_type, own.direction, own.limit_value, own.days,
  own.severity, own.starts_on, own.ends_on, own.set_by
FROM json_each($1) AS person
JOIN {{schema}}.person_limits AS own ON own.user_id = person.value
ORDER BY person.key, own.metric_type, own.direction, own.days, own.starts_on
