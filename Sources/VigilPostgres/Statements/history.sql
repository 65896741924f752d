-- Copies of rows, and what makes them void. {{copies}} is the table of a subject, {{owner}} its column of persons or medications.

-- Whether changes of rows of the subject $1 are noted.
-- name: KeepHistory :many
SELECT {{schema}}.vigil_keep_history($1)

-- Removes the copies whose rows have changed since, with the notes of it. One statement sees both as they are at one moment:
-- a change that commits meanwhile keeps its note. Mostly everybody has a note, of a new row: with OR in the place of
-- `cleared`, PostgreSQL would compare every copy with every note.
-- name: TakeChanges :exec
WITH taken AS (
  DELETE FROM {{schema}}.history_changes RETURNING subject, owners, first_days, last_days
), counted AS (
  UPDATE {{schema}}.history_state SET generation = generation + 1 WHERE subject IN (SELECT subject FROM taken)
), changed AS (
  SELECT taken.subject, own.owner, own.first_day, own.last_day
  FROM taken CROSS JOIN LATERAL unnest(taken.owners, taken.first_days, taken.last_days)
    AS own (owner, first_day, last_day)
), cleared_metrics AS (
  DELETE FROM {{schema}}.metric_history
  WHERE EXISTS (SELECT FROM taken WHERE subject = 'metrics' AND owners IS NULL)
), cleared_doses AS (
  DELETE FROM {{schema}}.medication_history
  WHERE EXISTS (SELECT FROM taken WHERE subject = 'doses' AND owners IS NULL)
), doses AS (
  DELETE FROM {{schema}}.medication_history AS copy USING changed
  WHERE changed.subject = 'doses' AND changed.owner = copy.medication_id
    AND changed.first_day <= copy.last_day AND changed.last_day >= copy.first_day
)
DELETE FROM {{schema}}.metric_history AS copy USING changed
WHERE changed.subject = 'metrics' AND changed.owner = copy.user_id
  AND changed.first_day <= copy.last_day AND changed.last_day >= copy.first_day

-- Says that copies of the subject $1 may have days up to $2.
-- name: RaiseHistory :exec
UPDATE {{schema}}.history_state SET last_day = greatest(last_day, $2) WHERE subject = $1

-- name: ClearHistory :exec
DELETE FROM {{schema}}.{{copies}}

-- name: FindHistoryState :many
SELECT is_kept, generation FROM {{schema}}.history_state WHERE subject = $1

-- The blocks of the owners $2 in the layout $3 that end on $4 or later, and that nothing has changed since; of the subject $1.
-- name: ListHistoryBlocks :many
SELECT copy.{{owner}}, copy.first_day, copy.last_day, copy.rows
FROM {{schema}}.{{copies}} AS copy
WHERE copy.{{owner}} = ANY ($2) AND copy.layout = $3 AND copy.last_day >= $4
  AND NOT EXISTS (SELECT FROM {{schema}}.history_changes WHERE subject = $1 AND owners IS NULL)
  AND NOT EXISTS (
    SELECT FROM {{schema}}.history_changes AS noted
    CROSS JOIN LATERAL unnest(noted.owners, noted.first_days, noted.last_days)
      AS changed (owner, first_day, last_day)
    WHERE noted.subject = $1 AND changed.owner = copy.{{owner}}
      AND changed.first_day <= copy.last_day AND changed.last_day >= copy.first_day
  )

-- Keeps nights from counting up until the transaction ends.
-- name: HoldGeneration :many
SELECT generation FROM {{schema}}.history_state WHERE subject = $1 FOR SHARE

-- name: CountGeneration :exec
UPDATE {{schema}}.history_state SET generation = generation + 1 WHERE subject = $1

-- The blocks of the owners $1 that end before $2.
-- name: RemoveOldBlocks :exec
DELETE FROM {{schema}}.{{copies}} WHERE {{owner}} = ANY ($1) AND last_day < $2

-- name: PutHistoryBlocks :exec
INSERT INTO {{schema}}.{{copies}} ({{owner}}, first_day, last_day, layout, rows)
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
ON CONFLICT ({{owner}}, first_day) DO UPDATE SET
  last_day = excluded.last_day, layout = excluded.layout, rows = excluded.rows

-- 1 where the login may keep copies.
-- name: MayKeepHistory :many
SELECT count(*) FROM pg_catalog.pg_class
JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE nspname = {{schema_name}} AND relname = 'metric_history'
  AND has_table_privilege(pg_class.oid, 'INSERT') AND has_table_privilege(pg_class.oid, 'DELETE')
