-- The alerts and insights that a member is shown of a family.

-- name: FindMembership :many
SELECT user_id FROM {{schema}}.family_members
WHERE family_id = $1 AND user_id = $2 AND invite_status = 'accepted'
