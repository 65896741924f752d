-- Lists are JSON.

-- name: is_listed :part
IN (SELECT value FROM json_each($1))

-- name: due_windows :part
SELECT CAST(value AS INTEGER) AS minutes, substr(value, instr(value, ' ') + 1, 27) AS starts_at,
  substr(value, instr(value, ' ') + 29, 27) AS ends_at
FROM json_each($2)
