-- The alerts and insights that a member is shown of a family.

-- name: by_event :part
ORDER BY
  max(current_level) OVER (PARTITION BY event_id) DESC,
  min(active_since) OVER (PARTITION BY event_id),
  event_id,
  CASE metric_type WHEN 'combined' THEN 0 ELSE 1 END,
  current_level DESC,
  active_since,
  id

-- name: FindMembership :many
SELECT user_id FROM {{schema}}.family_members
WHERE family_id = $1 AND user_id = $2 AND invite_status = 'accepted'
