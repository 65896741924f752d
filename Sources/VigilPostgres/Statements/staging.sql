-- Temporary tables through which rows go on their way into a table, and what only PostgreSQL does with rows of a
-- batch; VigilSQL has the statements that both databases have in their own ways.
--
-- {{staging}} is the temporary table and {{staged_columns}} its columns as the types of their table. vigil_ordinal
-- counts the rows from 1, in the order in which they came.

-- name: CreateStagingTable :exec
CREATE TEMPORARY TABLE pg_temp.{{staging}} (
  vigil_ordinal bigint, {{definitions}}
) ON COMMIT DELETE ROWS

-- name: FillStagingTable :copy
COPY pg_temp.{{staging}} FROM STDIN (FORMAT binary)

-- name: EmptyStagingTable :exec
TRUNCATE pg_temp.{{staging}}

-- MARK: Alerts

-- PutAlertStates for a login that may not change what decides who is notified.
-- name: PutUnguardedAlertStates :exec
INSERT INTO {{schema}}.pattern_alert_state ({{alert_columns}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
ORDER BY episode_status = 'active', vigil_ordinal
ON CONFLICT (id) DO UPDATE SET
  ({{alert_updates}}) = ({{excluded.alert_updates}}),
  shadow_notified_level = CASE
    WHEN pattern_alert_state.shadow_notified_level IS NULL
      OR excluded.shadow_notified_level > pattern_alert_state.shadow_notified_level
    THEN excluded.shadow_notified_level ELSE pattern_alert_state.shadow_notified_level
  END

-- An alert that would take over what members set about another, or the level that they were notified of: a
-- retracted one that is found again, or one that comes into another event.
-- name: FindInheritingAlert :many
SELECT stored.id FROM pg_temp.{{staging}} AS staged
JOIN {{schema}}.pattern_alert_state AS stored ON stored.id = staged.id
WHERE (stored.resolution_reason = 'retracted' OR stored.event_id <> staged.event_id)
  AND ({{stored.alert_settings}}) IS DISTINCT FROM ({{staged.alert_settings}})
  OR stored.event_id <> staged.event_id
  AND coalesce(stored.last_notified_level, 0) < staged.last_notified_level
LIMIT 1

-- MARK: Checkpoints

-- Makes another process that continues the shard $2 of the run $1 wait until this transaction has ended.
-- name: HoldShard :many
SELECT status, started_at FROM {{schema}}.run_shards
WHERE run_id = $1 AND shard = $2 FOR SHARE

-- MARK: Measures

-- Rows from $1 to $2 of those that are staged, all of them new: looking for a row to replace would take the server
-- as long as adding one.
-- name: InsertDoseAnalytics :exec
INSERT INTO {{schema}}.dose_analytics ({{analytics_written}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}}
WHERE vigil_ordinal BETWEEN $1 AND $2

-- MARK: Scores

-- In two steps, because a table of an app need not have a unique index that a conflict could name. All rows are of
-- the persons $1 and from $2 to $3: without these limits the planner, who knows nothing of the staged rows, would
-- rather go through the whole table once than look each of them up.
-- name: is_same_row :part
stored.user_id = ANY ($1) AND stored.score_date BETWEEN $2 AND $3
AND stored.user_id = staged.user_id AND stored.score_date = staged.score_date

-- name: staged_scores :part
(SELECT vigil_ordinal, {{staged_columns}} FROM pg_temp.{{staging}})
  AS staged (vigil_ordinal, {{score_written}})

-- A source that is an enumeration need not have the word.
-- name: UpdateScores :exec
UPDATE {{schema}}.vitality_scores AS stored
SET ({{score_figures}}) = ({{staged.score_figures}})
FROM {{staged_scores}}
WHERE {{is_same_row}} AND stored.source::text = 'vigil'
  AND ({{stored.score_figures}}) IS DISTINCT FROM ({{staged.score_figures}})

-- name: InsertScores :exec
INSERT INTO {{schema}}.vitality_scores ({{score_written}})
SELECT {{score_written}} FROM {{staged_scores}}
WHERE NOT EXISTS (SELECT FROM {{schema}}.vitality_scores AS stored WHERE {{is_same_row}})
ORDER BY vigil_ordinal
ON CONFLICT DO NOTHING

-- MARK: Imports

-- One statement may touch a row once: of rows with the same {{key}} the last one counts.
-- name: given :part
(
  SELECT DISTINCT ON ({{key}}) * FROM pg_temp.{{staging}}
  ORDER BY {{key}}, vigil_ordinal DESC
) AS given

-- name: FindAnyInputRow :many
SELECT 1 AS found FROM {{schema}}.{{table}} LIMIT 1

-- Rows that are all new, for a table without created_at and updated_at: looking for rows to change takes the server
-- over a quarter longer.
-- name: InsertInputRows :exec
INSERT INTO {{schema}}.{{table}} ({{columns}})
SELECT {{staged_columns}} FROM pg_temp.{{staging}}

-- The same for a table with both, as PutTimedInputRows.
-- name: InsertTimedInputRows :exec
INSERT INTO {{schema}}.{{table}} ({{columns}}, created_at, updated_at)
SELECT {{staged_columns}}, coalesce({{created_at}}, $1), coalesce({{updated_at}}, $1) FROM pg_temp.{{staging}}

-- Rows whose columns are all of the key.
-- name: AddInputRows :exec
INSERT INTO {{schema}}.{{table}} ({{columns}})
SELECT {{staged_columns}} FROM {{given}}
ORDER BY vigil_ordinal
ON CONFLICT ({{key}}) DO NOTHING

-- Rows for a table without created_at and updated_at; {{changes}} are the columns besides the key.
-- name: PutInputRows :exec
INSERT INTO {{schema}}.{{table}} AS stored ({{columns}})
SELECT {{staged_columns}} FROM {{given}}
ORDER BY vigil_ordinal
ON CONFLICT ({{key}}) DO UPDATE SET ({{changes}}) = ROW ({{excluded.changes}})
WHERE ROW ({{stored.changes}}) IS DISTINCT FROM ROW ({{excluded.changes}})

-- Rows for a table with created_at and updated_at. {{created_at}} and {{updated_at}} are the columns of the rows, or
-- NULL; where they are NULL, the present time $1 stands in for them in a new row. In a row that is there already,
-- created_at then stays as it is, and a row counts as changed by what else differs.
-- name: created_at_to_keep :part
coalesce(nullif(excluded.created_at, $1), stored.created_at)

-- name: times_differ :part
(stored.created_at, stored.updated_at) IS DISTINCT FROM (
  {{created_at_to_keep}}, coalesce(nullif(excluded.updated_at, $1), stored.updated_at)
)

-- name: PutTimedInputRows :exec
INSERT INTO {{schema}}.{{table}} AS stored ({{columns}}, created_at, updated_at)
SELECT {{staged_columns}}, coalesce({{created_at}}, $1), coalesce({{updated_at}}, $1) FROM {{given}}
ORDER BY vigil_ordinal
ON CONFLICT ({{key}}) DO UPDATE SET
  ({{changes}}, created_at, updated_at)
    = ({{excluded.changes}}, {{created_at_to_keep}}, excluded.updated_at)
WHERE ROW ({{stored.changes}}) IS DISTINCT FROM ROW ({{excluded.changes}}) OR {{times_differ}}

-- The same for rows whose other columns are all of the key.
-- name: PutTimesOfInputRows :exec
INSERT INTO {{schema}}.{{table}} AS stored ({{columns}}, created_at, updated_at)
SELECT {{staged_columns}}, coalesce({{created_at}}, $1), coalesce({{updated_at}}, $1) FROM {{given}}
ORDER BY vigil_ordinal
ON CONFLICT ({{key}}) DO UPDATE SET
  (created_at, updated_at) = ({{created_at_to_keep}}, excluded.updated_at)
WHERE {{times_differ}}
