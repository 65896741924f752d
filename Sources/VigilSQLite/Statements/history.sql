-- Copies of rows, and what makes them void. {{copies}} is the table of a subject, {{owner}} its column of persons or medications.

-- Whether triggers remove the copies of rows of the table $1 that change.
-- name: FindHistoryTriggers :many
SELECT count(*) = 3 AS is_kept FROM {{schema}}.sqlite_master
WHERE type = 'trigger' AND tbl_name = $1 AND name IN (
  'vigil_history_insert', 'vigil_history_update', 'vigil_history_delete',
  'vigil_doses_insert', 'vigil_doses_update', 'vigil_doses_delete'
)

-- From now on, changes of rows of the subject $1 up to the day $2 remove copies.
-- name: RaiseHistory :exec
INSERT INTO {{schema}}.history_state (subject, generation, last_day) VALUES ($1, 0, $2)
ON CONFLICT (subject) DO UPDATE SET last_day = max(last_day, excluded.last_day)

-- name: ClearHistory :exec
DELETE FROM {{schema}}.{{copies}}

-- name: FindGeneration :many
SELECT generation FROM {{schema}}.history_state WHERE subject = $1

-- name: CountGeneration :exec
UPDATE {{schema}}.history_state SET generation = generation + 1 WHERE subject = $1

-- The blocks of the owner $1 in the layout $2 that end on $3 or later, in the order of their days.
-- name: FindHistoryBlocks :many
SELECT first_day, last_day, rows FROM {{schema}}.{{copies}}
WHERE {{owner}} = $1 AND layout = $2 AND last_day >= $3 ORDER BY first_day

-- The blocks of the owner $1 that end before $2.
-- name: RemoveOldBlocks :exec
DELETE FROM {{schema}}.{{copies}} WHERE {{owner}} = $1 AND last_day < $2

-- name: PutHistoryBlock :exec
INSERT INTO {{schema}}.{{copies}} ({{owner}}, first_day, last_day, layout, rows)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT ({{owner}}, first_day) DO UPDATE SET
  last_day = excluded.last_day, layout = excluded.layout, rows = excluded.rows
