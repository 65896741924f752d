-- Lists are arrays.

-- name: is_listed :part
= ANY ($1)

-- name: due_windows :part
SELECT CAST(split_part(words, ' ', 1) AS integer) AS minutes,
  CAST(split_part(words, ' ', 2) AS timestamptz) AS starts_at,
  CAST(split_part(words, ' ', 3) AS timestamptz) AS ends_at
FROM unnest($2) AS words
