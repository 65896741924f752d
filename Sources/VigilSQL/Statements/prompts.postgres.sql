-- Lists are arrays.

-- name: is_listed :part
= ANY ($1)

-- Plans whose interval ends soon at $1 without a check-in, and of which the person was not reminded; at most $2. A view
-- of the app may lack the column of reminders, and have other numbers than a plan can have.
-- name: ListCheckInsDueSoon :many
SELECT plan.user_id, plan.interval_minutes, plan.grace_minutes, plan.reminder_minutes, span.interval_start
FROM (
  SELECT own.user_id, own.starts_at, CAST(own.interval_minutes AS bigint) AS interval_minutes,
    CAST(own.grace_minutes AS bigint) AS grace_minutes,
    CAST(to_jsonb(own) ->> 'reminder_minutes' AS bigint) AS reminder_minutes
  FROM {{schema}}.check_in_plans AS own
) AS plan
LEFT JOIN LATERAL (
  SELECT earlier.checked_in_at FROM {{schema}}.check_ins AS earlier
  WHERE earlier.user_id = plan.user_id
  ORDER BY earlier.user_id DESC, earlier.checked_in_at DESC LIMIT 1
) AS newest ON TRUE
CROSS JOIN LATERAL (
  SELECT greatest(plan.starts_at, newest.checked_in_at) AS interval_start
) AS span
WHERE plan.reminder_minutes BETWEEN 1 AND 5256000 AND plan.interval_minutes BETWEEN 1 AND 5256000
  AND plan.grace_minutes BETWEEN 0 AND 5256000
  AND span.interval_start <= $1 - INTERVAL '1 minute' * (plan.interval_minutes - plan.reminder_minutes)
  AND span.interval_start > $1 - INTERVAL '1 minute' * (plan.interval_minutes + plan.grace_minutes)
  AND NOT EXISTS (
    SELECT FROM {{schema}}.check_in_reminders AS known
    WHERE known.user_id = plan.user_id AND known.interval_start = span.interval_start
  )
ORDER BY plan.user_id
LIMIT $2
