-- Lists are arrays.

-- name: is_listed :part
= ANY ($1)
