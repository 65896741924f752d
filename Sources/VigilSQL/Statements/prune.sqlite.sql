-- The ids $1 were sent or might have been: they are not enqueued again. With WHERE, SQLite does not take ON
-- for a part of a join.
-- name: RememberSpentNotifications :exec
INSERT INTO {{schema}}.spent_notifications (id, pruned_at)
SELECT value, $2 FROM json_each($1) WHERE TRUE
ON CONFLICT (id) DO NOTHING

-- A sender knows nothing of the transaction that has found them, so the status is looked at again.
-- name: RemoveEndedNotifications :exec
DELETE FROM {{schema}}.notification_queue
WHERE id IN (SELECT value FROM json_each($1)) AND status NOT IN ('pending', 'processing')

-- name: RemoveShadowNotifications :exec
DELETE FROM {{schema}}.shadow_notification_queue
WHERE id IN (SELECT value FROM json_each($1))
