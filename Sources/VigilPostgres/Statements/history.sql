-- Copies of metric rows, and what makes them void.

-- Whether changes of rows are noted.
-- name: KeepHistory :many
SELECT {{schema}}.vigil_keep_history()

-- Removes the copies of persons whose rows have changed since, with the notes of it. One statement sees both as they are at
-- one moment: a change that commits meanwhile keeps its note. Mostly everybody has a note, of a new row: with OR in the place
-- of `cleared`, PostgreSQL would compare every copy with every note.
-- name: TakeChanges :exec
WITH taken AS (
  DELETE FROM {{schema}}.metric_changes RETURNING persons, first_days, last_days
), counted AS (
  UPDATE {{schema}}.history_state SET generation = generation + 1 WHERE EXISTS (SELECT FROM taken)
), changed AS (
  SELECT own.user_id, own.first_day, own.last_day
  FROM taken CROSS JOIN LATERAL unnest(taken.persons, taken.first_days, taken.last_days)
    AS own (user_id, first_day, last_day)
), cleared AS (
  DELETE FROM {{schema}}.metric_history WHERE EXISTS (SELECT FROM taken WHERE persons IS NULL)
)
DELETE FROM {{schema}}.metric_history AS copy USING changed
WHERE changed.user_id = copy.user_id AND changed.first_day <= copy.last_day
  AND changed.last_day >= copy.first_day

-- Says that copies may have days up to $1.
-- name: RaiseHistory :exec
UPDATE {{schema}}.history_state SET last_day = greatest(last_day, $1)

-- name: ClearHistory :exec
DELETE FROM {{schema}}.metric_history

-- name: FindHistoryState :many
SELECT is_kept, generation FROM {{schema}}.history_state

-- The copies of the persons $1 in the layout $2 that nothing has changed since.
-- name: ListHistories :many
SELECT copy.user_id, copy.first_day, copy.last_day, copy.rows
FROM {{schema}}.metric_history AS copy
WHERE copy.user_id = ANY ($1) AND copy.layout = $2
  AND NOT EXISTS (SELECT FROM {{schema}}.metric_changes WHERE persons IS NULL)
  AND NOT EXISTS (
    SELECT FROM {{schema}}.metric_changes AS noted
    CROSS JOIN LATERAL unnest(noted.persons, noted.first_days, noted.last_days)
      AS changed (user_id, first_day, last_day)
    WHERE changed.user_id = copy.user_id AND changed.first_day <= copy.last_day
      AND changed.last_day >= copy.first_day
  )

-- Keeps nights from counting up until the transaction ends.
-- name: HoldGeneration :many
SELECT generation FROM {{schema}}.history_state FOR SHARE

-- name: CountGeneration :exec
UPDATE {{schema}}.history_state SET generation = generation + 1

-- name: PutHistories :exec
INSERT INTO {{schema}}.metric_history (user_id, first_day, last_day, layout, rows)
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
ON CONFLICT (user_id) DO UPDATE SET
  first_day = excluded.first_day, last_day = excluded.last_day, layout = excluded.layout, rows = excluded.rows

-- 1 where the login may keep copies.
-- name: MayKeepHistory :many
SELECT count(*) FROM pg_catalog.pg_class
JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE nspname = {{schema_name}} AND relname = 'metric_history'
  AND has_table_privilege(pg_class.oid, 'INSERT') AND has_table_privilege(pg_class.oid, 'DELETE')
