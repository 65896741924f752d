-- The queue as a sender sees it, where lists are arrays and rows that others hold can be skipped.

-- Other senders wait until this transaction ends, so that two of them do not count the same place as free.
-- name: LockMessages :exec
LOCK TABLE {{schema}}.sms_lock IN EXCLUSIVE MODE

-- Holds the rows $1. All transactions that hold several take them in the order of their ids, so that none waits for
-- one that waits for it.
-- name: HoldNotifications :many
SELECT id FROM {{schema}}.notification_queue WHERE id = ANY ($1)
ORDER BY id
FOR UPDATE

-- name: is_listed :part
= ANY ($1)

-- name: is_recipient :part
= ANY ($2)

-- Takes up to $3 due rows of the channel $1 for the sender $4 until $5, at $2, those of the priority $6. An attempt
-- counts from here on: a sender that is killed, or cannot record what it did, has had it.
-- Materialized, because a plan that asks for the due rows twice would take more of them.
-- name: ClaimNotifications :many
WITH due AS MATERIALIZED (
  SELECT id FROM {{schema}}.notification_queue
  WHERE status = 'pending' AND channel = $1 AND priority = $6
    AND coalesce(next_attempt_at, scheduled_for) <= $2
  ORDER BY coalesce(next_attempt_at, scheduled_for)
  LIMIT $3
  FOR UPDATE SKIP LOCKED
)
UPDATE {{schema}}.notification_queue
SET status = 'processing', lease_owner = $4, lease_until = $5, fencing_token = fencing_token + 1,
  attempts = attempts + 1, last_attempt_at = $2, updated_at = $2
WHERE id = ANY (ARRAY(SELECT id FROM due)) AND status = 'pending'
RETURNING {{claim_columns}}

-- Leases that have ended by $1. Few rows are taken at a time, and the index has them alone. Rows that another
-- transaction holds are left to the next time: a statement that waits for none of them is in no deadlock.
-- name: TakeBackLeases :many
UPDATE {{schema}}.notification_queue
SET {{taken_back}}, updated_at = $1
WHERE id = ANY (ARRAY(
  SELECT id FROM {{schema}}.notification_queue
  WHERE status = 'processing' AND lease_until <= $1
  FOR UPDATE SKIP LOCKED
))
RETURNING status

-- Until $3.
-- name: RenewLeases :many
UPDATE {{schema}}.notification_queue AS held
SET lease_until = $3
FROM unnest($1, $2) AS lease (id, token)
WHERE held.id = lease.id AND held.fencing_token = CAST(lease.token AS bigint)
  AND held.status = 'processing'
RETURNING held.id

-- At $3. The same outcome again changes nothing. A row that was taken back after its last attempt has failed.
-- name: SettleSent :many
UPDATE {{schema}}.notification_queue AS held
SET status = 'sent', status_reason = NULL, sent_at = coalesce(held.sent_at, $3), updated_at = $3,
  next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL
FROM unnest($1, $2) AS lease (id, token)
WHERE held.id = lease.id AND held.fencing_token = CAST(lease.token AS bigint)
  AND held.status IN ('processing', 'pending', 'sent', 'failed')
RETURNING held.id
