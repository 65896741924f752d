-- Lists are JSON.

-- name: is_listed :part
IN (SELECT value FROM json_each($1))
