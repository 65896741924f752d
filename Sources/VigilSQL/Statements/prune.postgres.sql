-- The ids $1 were sent or might have been: they are not enqueued again.
-- name: RememberSpentNotifications :exec
INSERT INTO {{schema}}.spent_notifications (id, pruned_at)
SELECT spent.id, $2 FROM unnest($1) AS spent (id)
ON CONFLICT (id) DO NOTHING

-- A sender knows nothing of the transaction that has found them, so the status is looked at again.
-- name: RemoveEndedNotifications :exec
DELETE FROM {{schema}}.notification_queue
WHERE id = ANY ($1) AND status NOT IN ('pending', 'processing')

-- name: RemoveShadowNotifications :exec
DELETE FROM {{schema}}.shadow_notification_queue
WHERE id = ANY ($1)
