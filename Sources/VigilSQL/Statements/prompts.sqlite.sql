-- Lists are JSON.

-- name: is_listed :part
IN (SELECT value FROM json_each($1))

-- Plans whose interval ends soon at $1 without a check-in, and of which the person was not reminded; at most $2. The
-- date functions know whole seconds; the library compares again.
-- name: ListCheckInsDueSoon :many
WITH plan AS (
  SELECT own.user_id, own.interval_minutes, own.grace_minutes, own.reminder_minutes, max(
    own.starts_at, coalesce((
      SELECT max(earlier.checked_in_at) FROM check_ins AS earlier WHERE earlier.user_id = own.user_id
    ), own.starts_at)
  ) AS interval_start
  FROM check_in_plans AS own WHERE own.reminder_minutes IS NOT NULL
)
SELECT user_id, interval_minutes, grace_minutes, reminder_minutes, interval_start
FROM plan
WHERE strftime(
    '%Y-%m-%dT%H:%M:%S', interval_start, (interval_minutes - reminder_minutes) || ' minutes'
  ) <= substr($1, 1, 19)
  AND strftime(
    '%Y-%m-%dT%H:%M:%S', interval_start, (interval_minutes + grace_minutes) || ' minutes'
  ) >= substr($1, 1, 19)
  AND NOT EXISTS (
    SELECT 1 FROM check_in_reminders AS known
    WHERE known.user_id = plan.user_id AND known.interval_start = plan.interval_start
  )
ORDER BY user_id
LIMIT $2
