-- The queue as a sender sees it, where lists are JSON and one transaction at a time writes.

-- One transaction at a time writes: there is nothing to lock.
-- name: LockMessages :exec
SELECT 1

-- name: HoldNotifications :many
SELECT 1 WHERE $1 IS NULL

-- name: is_listed :part
IN (SELECT value FROM json_each($1))

-- name: is_recipient :part
IN (SELECT value FROM json_each($2))

-- Takes up to $3 due rows of the channel $1 for the sender $4 until $5, at $2, those of the priority $6. An attempt
-- counts from here on: a sender that is killed, or cannot record what it did, has had it.
-- name: ClaimNotifications :many
UPDATE {{schema}}.notification_queue
SET status = 'processing', lease_owner = $4, lease_until = $5, fencing_token = fencing_token + 1,
  attempts = attempts + 1, last_attempt_at = $2, updated_at = $2
WHERE id IN (
  SELECT due.id FROM {{schema}}.notification_queue AS due
  WHERE due.status = 'pending' AND due.channel = $1 AND due.priority = $6
    AND coalesce(due.next_attempt_at, due.scheduled_for) <= $2
  ORDER BY coalesce(due.next_attempt_at, due.scheduled_for)
  LIMIT $3
)
RETURNING {{claim_columns}}

-- Leases that have ended by $1. Few rows are taken at a time, and the index has them alone.
-- name: TakeBackLeases :many
UPDATE {{schema}}.notification_queue
SET {{taken_back}}, updated_at = $1
WHERE status = 'processing' AND lease_until <= $1
RETURNING status

-- Until $3.
-- name: RenewLeases :many
UPDATE {{schema}}.notification_queue
SET lease_until = $3
WHERE id IN (SELECT value FROM json_each($1)) AND status = 'processing' AND fencing_token = (
  SELECT CAST(token.value AS INTEGER) FROM json_each($1) AS lease
  JOIN json_each($2) AS token ON token.key = lease.key
  WHERE lease.value = notification_queue.id
)
RETURNING id

-- At $3. The same outcome again changes nothing. A row that was taken back after its last attempt has failed.
-- name: SettleSent :many
UPDATE {{schema}}.notification_queue
SET status = 'sent', status_reason = NULL, sent_at = coalesce(sent_at, $3), updated_at = $3,
  next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL
WHERE id IN (SELECT value FROM json_each($1)) AND status IN ('processing', 'pending', 'sent', 'failed')
  AND fencing_token = (
    SELECT CAST(token.value AS INTEGER) FROM json_each($1) AS lease
    JOIN json_each($2) AS token ON token.key = lease.key
    WHERE lease.value = notification_queue.id
  )
RETURNING id
