-- Export and erasure of a person, who is $1. The tables and their linking columns are those of PersonalTable.

-- MARK: Whether a row belongs to the person

-- Some columns hold ids of persons.
-- name: is_by_column :part
$1 IN ({{own.person_columns}})

-- The column holds the id of a row that has a person.
-- name: is_by_parent :part
own.{{column}} IN (SELECT id FROM {{schema}}.{{parent}} WHERE user_id = $1)

-- The column is text, in which the id stands among other things.
-- name: is_by_text :part
lower(CAST(own.{{column}} AS text)) LIKE '%' || CAST($1 AS text) || '%'

-- A schedule may be gone, and its medication: the results of runs still say whose it was.
-- name: is_version :part
lower(own.{{column}} ->> 'medication_id') IN (
  SELECT CAST(id AS text) FROM {{schema}}.medications WHERE user_id = $1
  UNION
  SELECT CAST(medication_id AS text) FROM {{schema}}.dose_analytics
  WHERE user_id = $1 AND medication_id IS NOT NULL
  UNION
  SELECT CAST(medication_id AS text) FROM {{schema}}.pattern_alert_state
  WHERE user_id = $1 AND medication_id IS NOT NULL
)

-- MARK: Counts

-- name: CountByColumn :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} AS own WHERE {{is_by_column}}

-- Without those that a column of persons finds, too.
-- name: CountByParent :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} AS own
WHERE {{is_by_parent}} AND NOT coalesce({{is_by_column}}, FALSE)

-- name: CountByText :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} AS own WHERE {{is_by_text}}

-- Rows of others that are to forget the person.
-- name: CountCleared :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} AS own
WHERE own.{{column}} = $1 AND NOT coalesce({{is_by_column}}, FALSE)

-- name: CountVersions :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} AS own WHERE {{is_version}}

-- MARK: Rows, with 1 before those that are about the person, and 0 before those that name the person

-- name: ListByColumn :many
SELECT CASE WHEN $1 IN ({{own.subject_columns}}) THEN 1 ELSE 0 END AS is_about, {{values}}
FROM {{schema}}.{{table}} AS own WHERE {{is_by_column}}

-- name: ListByParent :many
SELECT 1 AS is_about, {{values}} FROM {{schema}}.{{table}} AS own
WHERE {{is_by_parent}} AND NOT coalesce({{is_by_column}}, FALSE)

-- name: ListByText :many
SELECT 1 AS is_about, {{values}} FROM {{schema}}.{{table}} AS own WHERE {{is_by_text}}

-- name: ListVersions :many
SELECT 1 AS is_about, {{values}} FROM {{schema}}.{{table}} AS own WHERE {{is_version}}

-- MARK: Removal

-- name: RemoveByColumn :exec
DELETE FROM {{schema}}.{{table}} AS own WHERE {{is_by_column}}

-- name: RemoveByParent :exec
DELETE FROM {{schema}}.{{table}} AS own WHERE {{is_by_parent}}

-- name: RemoveByText :exec
DELETE FROM {{schema}}.{{table}} AS own WHERE {{is_by_text}}

-- name: RemoveVersions :exec
DELETE FROM {{schema}}.{{table}} AS own WHERE {{is_version}}

-- The row of another person stays.
-- name: ClearColumn :exec
UPDATE {{schema}}.{{table}} SET {{column}} = NULL WHERE {{column}} = $1

-- name: CountTraces :many
SELECT count(*) AS rows FROM {{schema}}.{{table}} AS own WHERE {{holds}}

-- MARK: Groups, which may be about several persons

-- name: ListAlertsOfPerson :many
SELECT id FROM {{schema}}.pattern_alert_state WHERE user_id = $1

-- Groups to others with notifications about the person, in the name of another one.
-- name: ListGroupsOfOthers :many
SELECT own.id, own.payload FROM {{schema}}.{{table}} AS own
WHERE own.member_user_id <> $1 AND own.recipient_user_id <> $1 AND own.id IN (
  SELECT member.group_id FROM {{schema}}.{{table}} AS member
  WHERE member.member_user_id = $1 AND member.group_id IS NOT NULL
)

-- name: PutGroup :exec
UPDATE {{schema}}.{{table}} SET payload = $2, level = $3 WHERE id = $1

-- Groups in the name of the person go before they are sent: their other members are sent by themselves, from $2 on.
-- name: ReleaseMembersOfGroups :exec
UPDATE {{schema}}.{{table}}
SET status = 'pending', status_reason = NULL, group_id = NULL, updated_at = $2
WHERE member_user_id <> $1 AND recipient_user_id <> $1
  AND status = 'skipped' AND status_reason = 'grouped' AND group_id IN (
    SELECT parent.id FROM {{schema}}.{{table}} AS parent
    WHERE parent.member_user_id = $1 AND parent.status IN ('pending', 'processing')
  )

-- MARK: Requests, and the list of those who were erased

-- name: PutErasureRequest :exec
INSERT INTO {{schema}}.erasure_requests (user_id, requested_at, due_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET requested_at = excluded.requested_at, due_at = excluded.due_at

-- name: RemoveErasureRequest :exec
DELETE FROM {{schema}}.erasure_requests WHERE user_id = $1

-- name: ListErasureRequests :many
SELECT user_id, requested_at, due_at FROM {{schema}}.erasure_requests ORDER BY due_at, user_id

-- name: AddErasedPerson :exec
INSERT INTO {{schema}}.erased_persons (person_digest, key_id, erased_at) VALUES ($1, $2, $3)
ON CONFLICT (person_digest) DO NOTHING

-- name: ListErasedPersons :many
SELECT person_digest, key_id, erased_at FROM {{schema}}.erased_persons ORDER BY person_digest

-- name: ListPersonIDs :many
SELECT id FROM {{schema}}.users ORDER BY id
