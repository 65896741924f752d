-- Rows that this driver writes in a way of its own; {{values}} are the parameters of their columns, {{rows}} those of some
-- rows, row by row.

-- name: PutScores :exec
INSERT INTO {{schema}}.vitality_scores ({{score_written}})
VALUES {{rows}}
ON CONFLICT (user_id, score_date) DO UPDATE SET
  ({{score_figures}}) = ({{excluded.score_figures}})
WHERE vitality_scores.source = 'vigil'
  AND ({{vitality_scores.score_figures}}) IS NOT ({{excluded.score_figures}})

-- MARK: Imports

-- Rows whose columns are all of the key.
-- name: AddInputRows :exec
INSERT INTO {{schema}}.{{table}} ({{columns}})
VALUES ({{values}})
ON CONFLICT ({{key}}) DO NOTHING

-- Rows for a table without created_at and updated_at; {{changes}} are the columns besides the key.
-- name: PutInputRows :exec
INSERT INTO {{schema}}.{{table}} AS stored ({{columns}})
VALUES ({{values}})
ON CONFLICT ({{key}}) DO UPDATE SET ({{changes}}) = ({{excluded.changes}})
WHERE ({{stored.changes}}) IS NOT ({{excluded.changes}})

-- Rows for a table with created_at and updated_at. {{created_at}} and {{updated_at}} are the parameters of the
-- columns, or NULL; where they are NULL, the present time {{now}} stands in for them in a new row. In a row that is
-- there already, created_at then stays as it is, and a row counts as changed by what else differs.
-- name: times_differ :part
stored.created_at IS NOT coalesce({{created_at}}, stored.created_at)
OR stored.updated_at IS NOT coalesce({{updated_at}}, stored.updated_at)

-- name: PutTimedInputRows :exec
INSERT INTO {{schema}}.{{table}} AS stored ({{columns}}, created_at, updated_at)
VALUES ({{values}}, coalesce({{created_at}}, {{now}}), coalesce({{updated_at}}, {{now}}))
ON CONFLICT ({{key}}) DO UPDATE SET
  ({{changes}}) = ({{excluded.changes}}),
  created_at = coalesce({{created_at}}, stored.created_at),
  updated_at = coalesce({{updated_at}}, {{now}})
WHERE ({{stored.changes}}) IS NOT ({{excluded.changes}}) OR {{times_differ}}

-- The same for rows whose other columns are all of the key.
-- name: PutTimesOfInputRows :exec
INSERT INTO {{schema}}.{{table}} AS stored ({{columns}}, created_at, updated_at)
VALUES ({{values}}, coalesce({{created_at}}, {{now}}), coalesce({{updated_at}}, {{now}}))
ON CONFLICT ({{key}}) DO UPDATE SET
  created_at = coalesce({{created_at}}, stored.created_at),
  updated_at = coalesce({{updated_at}}, {{now}})
WHERE {{times_differ}}
