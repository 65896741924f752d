-- Rows to prune. $1 is the instant before which they must have ended, $2 the present.

-- Whether `root` stands for itself or for a group, all of which has ended. What a snooze or a dismissal has cancelled
-- can be restored until it has expired; without an expiry, until it is pruned.
-- name: has_ended_whole :part
root.updated_at < $1 AND (
  root.status IN ('sent', 'failed', 'skipped')
  OR (root.status = 'cancelled' AND coalesce(root.expires_at, root.updated_at) <= $2)
)
AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.notification_queue AS parent WHERE parent.id = root.group_id
)
AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.notification_queue AS member
  WHERE member.group_id = root.id AND NOT (
    member.updated_at < $1 AND (
      member.status IN ('sent', 'failed', 'skipped')
      OR (member.status = 'cancelled' AND coalesce(member.expires_at, member.updated_at) <= $2)
    )
  )
)

-- Rows that have ended, with ids above $3, at most $4; and the members of their groups.
-- is_spent: what could replace the row is planned anew; whatever else comes again must find that it was sent.
-- One query for each kind: with OR between them PostgreSQL compares every row with every root.
-- name: ListEndedNotifications :many
WITH roots AS (
  SELECT root.id FROM {{schema}}.notification_queue AS root WHERE {{has_ended_whole}}
    AND root.id > $3
  ORDER BY root.id LIMIT $4
), ended AS (
  SELECT own.id AS root, own.id, own.status, own.status_reason
  FROM {{schema}}.notification_queue AS own
  WHERE own.id IN (SELECT id FROM roots)
  UNION ALL
  SELECT member.group_id, member.id, member.status, member.status_reason
  FROM {{schema}}.notification_queue AS member
  WHERE member.group_id IN (SELECT id FROM roots)
)
SELECT root, id,
  CASE
    WHEN status = 'skipped' AND status_reason IN ({{replaceable_reasons}}) THEN 0 ELSE 1
  END AS is_spent
FROM ended

-- The same rows of all pages: how many, and how many of them have to be remembered.
-- name: CountEndedNotifications :many
WITH roots AS (
  SELECT root.id FROM {{schema}}.notification_queue AS root WHERE {{has_ended_whole}}
), ended AS (
  SELECT own.status, own.status_reason
  FROM {{schema}}.notification_queue AS own
  WHERE own.id IN (SELECT id FROM roots)
  UNION ALL
  SELECT member.status, member.status_reason
  FROM {{schema}}.notification_queue AS member
  WHERE member.group_id IN (SELECT id FROM roots)
)
SELECT count(*) AS notifications,
  coalesce(sum(
    CASE
      WHEN status = 'skipped' AND status_reason IN ({{replaceable_reasons}}) THEN 0 ELSE 1
    END
  ), 0) AS remembered
FROM ended

-- Pending rows that were not sent in time.
-- name: CountExpiredNotifications :many
SELECT count(*) AS notifications FROM {{schema}}.notification_queue
WHERE status = 'pending' AND scheduled_for <= $1 AND expires_at <= $1

-- Months of text messages that are over before the month $1.
-- name: CountPrunableMessages :many
SELECT count(*) AS messages FROM {{schema}}.sms_log WHERE month < $1

-- name: RemoveMessages :exec
DELETE FROM {{schema}}.sms_log WHERE month < $1

-- Whether a measure is of days that pass and ended before $1, and the person has a later one of the kind.
-- name: is_outdated :part
own.period_kind <> 'calendar_month' AND own.period_end < $1 AND EXISTS (
  SELECT 1 FROM {{schema}}.dose_analytics AS later
  WHERE later.user_id = own.user_id AND later.period_kind = own.period_kind
    AND later.period_end > own.period_end
)

-- name: CountPrunableMeasures :many
SELECT count(*) AS measures FROM {{schema}}.dose_analytics AS own WHERE {{is_outdated}}

-- name: RemoveMeasures :exec
DELETE FROM {{schema}}.dose_analytics AS own WHERE {{is_outdated}}

-- Whether `call` is about an alert or a raised alert that has ended, and neither it nor another call about that alert is of $1 or
-- later. A sender still acts upon calls without an answer that expired after $2. Calls without a level are an
-- app's own.
-- name: is_over :part
call.level IS NOT NULL
AND (
  EXISTS (
    SELECT 1 FROM {{schema}}.pattern_alert_state AS alert
    WHERE alert.id = call.related_blob_id AND {{has_ended}}
  )
  OR EXISTS (
    SELECT 1 FROM {{schema}}.raised_alerts AS raised
    WHERE raised.id = call.related_blob_id AND raised.status <> 'active'
  )
)
AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.escalation_log AS other
  WHERE other.related_blob_id = call.related_blob_id AND (
    other.expires_at >= $1 OR other.acknowledged_at >= $1 OR other.resolved_at >= $1
    OR other.status IN ('pending', 'notified', 'expired') AND other.resolution IS NULL
      AND other.expires_at >= $2
  )
)

-- name: CountPrunableCalls :many
SELECT count(*) AS calls FROM {{schema}}.escalation_log AS call WHERE {{is_over}}

-- name: ListPrunableCalls :many
SELECT call.id FROM {{schema}}.escalation_log AS call WHERE {{is_over}} ORDER BY call.id

-- All calls about an alert go at once, because the later ones say that the earlier ones had no answer.
-- name: RemoveCalls :exec
DELETE FROM {{schema}}.escalation_log AS call WHERE {{is_over}}

-- Shadow rows are never sent: they are over when they would have expired. A group lies in one run, whose rows
-- are of one age; a run that is going on may still group its rows.
-- name: has_expired :part
own.updated_at < $1 AND coalesce(own.expires_at, own.updated_at) <= $2
AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.batch_runs AS run
  WHERE run.id = own.run_id AND run.status = 'running'
)

-- name: ListEndedShadowNotifications :many
SELECT own.id FROM {{schema}}.shadow_notification_queue AS own
WHERE {{has_expired}}
  AND own.id > $3
ORDER BY own.id LIMIT $4

-- name: CountEndedShadowNotifications :many
SELECT count(*) AS notifications FROM {{schema}}.shadow_notification_queue AS own
WHERE {{has_expired}}

-- MARK: What runs have left. Nothing of a run that has succeeded and decided is needed; a run that was cut
-- off counts as abandoned where no process has continued it since $1 and none of it waits for a decision.

-- name: is_abandoned :part
run.status IN ('failed', 'interrupted') AND run.started_at < $1
AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.run_shards AS part
  WHERE part.run_id = run.id AND (
    part.status IN ('held', 'running') OR coalesce(part.finished_at, part.started_at) >= $1
  )
)

-- Runs that have left something.
-- name: ListRunsToPrune :many
SELECT run.id FROM {{schema}}.batch_runs AS run
WHERE (
    run.status = 'succeeded' AND EXISTS (
      SELECT 1 FROM {{schema}}.held_notifications AS held
      WHERE held.run_id = run.id AND held.outcome IS NOT NULL AND held.decided_at < $1
    )
  ) OR (
    {{is_abandoned}}
    AND (
      EXISTS (SELECT 1 FROM {{schema}}.held_notifications AS held WHERE held.run_id = run.id)
      OR EXISTS (SELECT 1 FROM {{schema}}.batch_checkpoints AS done WHERE done.run_id = run.id)
    )
  )
ORDER BY run.started_at, run.id

-- name: FindAbandonedRun :many
SELECT run.id FROM {{schema}}.batch_runs AS run
WHERE run.id = $2 AND {{is_abandoned}}

-- Rows of held_notifications that their run does not need.
-- name: CountPrunableHeld :many
SELECT count(*) AS held FROM {{schema}}.held_notifications AS held
JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
WHERE (run.status = 'succeeded' AND held.outcome IS NOT NULL AND held.decided_at < $1)
  OR ({{is_abandoned}})

-- name: CountPrunableCheckpoints :many
SELECT count(*) AS checkpoints FROM {{schema}}.batch_checkpoints AS done
JOIN {{schema}}.batch_runs AS run ON run.id = done.run_id
WHERE {{is_abandoned}}

-- By shard, how many rows of the run $2 went out that are over; $3 says whether the run is abandoned.
-- name: CountPrunableReleased :many
SELECT held.shard, count(*) AS released FROM {{schema}}.held_notifications AS held
JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
WHERE held.run_id = $2 AND held.outcome = 'released' AND held.group_id IS NULL
  AND ($3 OR (run.status = 'succeeded' AND held.decided_at < $1))
GROUP BY held.shard

-- name: RemoveHeldNotifications :exec
DELETE FROM {{schema}}.held_notifications
WHERE run_id = $2 AND (
  $3 OR (
    outcome IS NOT NULL AND decided_at < $1 AND EXISTS (
      SELECT 1 FROM {{schema}}.batch_runs AS run WHERE run.id = $2 AND run.status = 'succeeded'
    )
  )
)
