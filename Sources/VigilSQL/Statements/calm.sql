-- Digests of what a night has seen of persons of whom it has found nothing.

-- name: InsertCalmDigests :exec
INSERT INTO {{schema}}.calm_digests (metric_date, digests) VALUES ($1, $2)

-- name: ListCalmDigests :many
SELECT digests FROM {{schema}}.calm_digests WHERE metric_date = $1

-- name: RemoveCalmDigests :exec
DELETE FROM {{schema}}.calm_digests WHERE metric_date < $1
