-- Notifications of live runs lie in held_notifications until their run has planned all of them; these
-- statements take them from there. $1 is the run, $2 the instant of the decision, and $3 the shard that has
-- planned them, or NULL for all shards.

-- How many rows of a run would be sent and wait for a decision, and how many were sent.
-- name: CountHeldAndReleased :many
SELECT
  coalesce(sum(
    CASE WHEN outcome IS NULL AND coalesce(status_reason, '') IN ('', {{pending_reasons}}) THEN 1 ELSE 0 END
  ), 0) AS held,
  coalesce(sum(
    CASE WHEN outcome = 'released' AND group_id IS NULL THEN 1 ELSE 0 END
  ), 0) AS released
FROM {{schema}}.held_notifications
WHERE run_id = $1

-- About how many persons a shard has sent rows.
-- name: CountPersonsReleased :many
SELECT count(DISTINCT member_user_id) AS persons FROM {{schema}}.held_notifications
WHERE run_id = $1 AND shard = $2 AND outcome = 'released'

-- How many rows a shard has sent.
-- name: CountReleased :many
SELECT count(*) AS released FROM {{schema}}.held_notifications
WHERE run_id = $1 AND outcome = 'released' AND group_id IS NULL
  AND (CAST($2 AS integer) IS NULL OR shard = CAST($2 AS integer))

-- The circumstances of the row `held` of the run `run`, about the event `event` that members are notified of in the
-- name of `alert`: the sum of `DeliveryFacts` of VigilAlerts, and 1024 for a recovery. A test compares the two.
-- name: circumstances :part
  1 * CAST(alert.last_notified_level IS NOT NULL AS integer)
  + 2 * CAST(coalesce(alert.last_notified_level, 0) >= held.level AS integer)
  + 4 * CAST(event.level < held.level OR (held.alert_state_id, held.level) IN (
    SELECT highest.alert_state_id, lower.column1
    FROM (
      SELECT waiting.alert_state_id, max(waiting.level) AS level
      FROM {{schema}}.held_notifications AS waiting
      JOIN event AS present ON present.cause_id = waiting.alert_state_id
      WHERE waiting.outcome IS NULL AND waiting.level <= present.level
      GROUP BY waiting.alert_state_id
    ) AS highest
    CROSS JOIN (VALUES (3), (7), (14)) AS lower
    WHERE lower.column1 < highest.level
  ) AS integer)
  + 8 * CAST(event.is_active = 0 AS integer)
  + 16 * CAST(coalesce(held.status_reason, '') = 'preference_off' AS integer)
  + 32 * CAST((alert.snooze_until > run.to_date) IS TRUE AS integer)
  + 64 * CAST(alert.dismissed_at IS NOT NULL AS integer)
  + 128 * CAST(EXISTS (
    SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
    WHERE exclusion.subject_user_id = held.member_user_id
      AND exclusion.excluded_user_id = held.recipient_user_id
  ) AS integer)
  + 256 * CAST(EXISTS (
    SELECT 1 FROM {{schema}}.notification_queue AS queued
    WHERE queued.dedupe_key = held.dedupe_key AND NOT (
      queued.status = 'skipped' AND queued.status_reason IN ({{replaceable_reasons}})
    )
  ) OR EXISTS (
    SELECT 1 FROM {{schema}}.spent_notifications AS spent WHERE spent.id = held.id
  ) AS integer)
  + 512 * CAST(coalesce(held.status_reason, '') = 'covered' AS integer)
  + 1024 * CAST(held.notification_type = 'pattern_recovery' AS integer)

-- Gives every row the outcome that $4 has for its circumstances. They are read in the same statement, so that none of
-- them can have changed since it was decided about them.
--
-- The levels that a higher one overtakes are found by one query for all rows, so that a database goes through
-- what is held once; asking for each row would go through all rows of its alert.
--
-- What members are notified of is an event: it goes on while one of its alerts does, and its level is the highest of
-- theirs. What they have set, and were notified of, is kept by the alert in whose name they are notified.
-- name: DecideHeldNotifications :exec
WITH cause (id) AS (
  SELECT DISTINCT alert_state_id FROM {{schema}}.held_notifications WHERE outcome IS NULL
), member (cause_id, level, is_active) AS (
  SELECT cause.id, own.current_level, CAST(own.episode_status = 'active' AS integer)
  FROM cause JOIN {{schema}}.pattern_alert_state AS own ON own.id = cause.id
  UNION ALL
  SELECT cause.id, joined.current_level, CAST(joined.episode_status = 'active' AS integer)
  FROM cause JOIN {{schema}}.pattern_alert_state AS joined
    ON joined.event_id = cause.id AND joined.event_id <> joined.id
), event (cause_id, level, is_active) AS (
  SELECT cause_id, max(level), max(is_active) FROM member GROUP BY cause_id
)
UPDATE {{schema}}.held_notifications AS held
SET decided_at = $2,
  outcome = {{decided_outcome}}
FROM {{schema}}.pattern_alert_state AS alert, event, {{schema}}.batch_runs AS run
WHERE alert.id = held.alert_state_id AND event.cause_id = alert.id AND run.id = held.run_id
  AND held.run_id = $1 AND held.outcome IS NULL
  AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))

-- The place of a row's status and reason in the lists of its outcome. A row that was due when it was planned is not later,
-- whatever a clock says that was set back since then.
-- name: entry :part
(2 * CAST(held.group_id IS NOT NULL AS integer)
  + CAST(held.scheduled_for > $2 AND held.scheduled_for > held.created_at AS integer))

-- Puts what was decided into the queue: what goes out, and what does not with its reason. `DeliveryOutcome.entry` of
-- VigilAlerts decides; by outcome, $4 has lists of the statuses and $5 of the reasons. A row of the queue
-- that was skipped for a reason which may pass gives way to one that goes out, by itself or in a group.
-- name: EnqueueDecidedNotifications :exec
INSERT INTO {{schema}}.notification_queue (
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level, channel,
  payload, priority, scheduled_for, expires_at, max_attempts, status_reason, group_night, dedupe_key,
  run_id, created_at, updated_at, status, group_id
)
SELECT
  held.id, held.recipient_user_id, held.member_user_id, held.alert_state_id, held.notification_type,
  held.template_id, held.level, held.channel, held.payload, held.priority, held.scheduled_for, held.expires_at,
  held.max_attempts, {{queue_reasons}} -> held.outcome ->> {{entry}}, held.group_night, held.dedupe_key,
  held.run_id, $2, $2, {{queue_statuses}} -> held.outcome ->> {{entry}}, held.group_id
FROM {{schema}}.held_notifications AS held
WHERE held.run_id = $1 AND held.decided_at = $2
  AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
  AND {{queue_statuses}} -> held.outcome IS NOT NULL
ON CONFLICT (dedupe_key) DO UPDATE SET
  recipient_user_id = excluded.recipient_user_id,
  member_user_id = excluded.member_user_id,
  alert_state_id = excluded.alert_state_id,
  notification_type = excluded.notification_type,
  template_id = excluded.template_id,
  level = excluded.level,
  channel = excluded.channel,
  payload = excluded.payload,
  priority = excluded.priority,
  scheduled_for = excluded.scheduled_for,
  expires_at = excluded.expires_at,
  max_attempts = excluded.max_attempts,
  status_reason = excluded.status_reason,
  group_night = excluded.group_night,
  run_id = excluded.run_id,
  updated_at = excluded.updated_at,
  status = excluded.status,
  group_id = excluded.group_id
WHERE notification_queue.status = 'skipped'
  AND notification_queue.status_reason IN ({{replaceable_reasons}})
  AND (excluded.status = 'pending' OR excluded.group_id IS NOT NULL)

-- Cancels lower levels that were not due yet: the higher level replaces them.
-- name: SupersedeLowerLevels :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'superseded', updated_at = $2
WHERE status = 'pending' AND scheduled_for > $2 AND dedupe_key IN (
  SELECT CAST(held.member_user_id AS text)
    || ':' || CAST(held.alert_state_id AS text)
    || ':' || CAST(held.recipient_user_id AS text) || ':' || held.channel || ':' || lower.column1
  FROM {{schema}}.held_notifications AS held CROSS JOIN (VALUES (3), (7), (14)) AS lower
  WHERE held.run_id = $1 AND held.decided_at = $2
    AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
    AND held.outcome = 'released'
    AND held.notification_type = 'pattern_alert'
    AND lower.column1 < held.level
)

-- Makes alerts count as notified at the level that was decided about: by the outcomes $4, at $5 or no instant.
-- name: MarkDecidedAsNotified :exec
UPDATE {{schema}}.pattern_alert_state
SET last_notified_level = decided.level,
  last_notified_at = coalesce($5, last_notified_at)
FROM (
  SELECT held.alert_state_id, max(held.level) AS level
  FROM {{schema}}.held_notifications AS held
  WHERE held.run_id = $1 AND held.decided_at = $2
    AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
    AND held.notification_type = 'pattern_alert'
    AND {{counts_as_notified}}
  GROUP BY held.alert_state_id
) AS decided
WHERE decided.alert_state_id = pattern_alert_state.id
  AND coalesce(pattern_alert_state.last_notified_level, 0) < decided.level

-- Ends what runs hold of alerts that are notified at that level by now ($1).
-- name: SupersedeNotifiedLevels :exec
UPDATE {{schema}}.held_notifications AS held SET outcome = 'superseded', decided_at = $1
FROM {{schema}}.pattern_alert_state AS alert
WHERE held.outcome IS NULL AND alert.id = held.alert_state_id
  AND held.notification_type = 'pattern_alert' AND alert.last_notified_level >= held.level

-- Rows of a run that were due before $2 and still wait.
-- name: ListOverdueNotifications :many
SELECT dedupe_key, recipient_user_id, channel, priority, status_reason
FROM {{schema}}.held_notifications
WHERE run_id = $1 AND outcome IS NULL AND scheduled_for < $2
  AND (CAST($3 AS integer) IS NULL OR shard = CAST($3 AS integer))
ORDER BY dedupe_key

-- Gives the row $2 of the run $1 another time, expiry and reason.
-- name: RescheduleNotification :exec
UPDATE {{schema}}.held_notifications SET scheduled_for = $3, expires_at = $4, status_reason = $5
WHERE run_id = $1 AND dedupe_key = $2

-- Rows that were decided not to be sent.
-- name: CountDiscardedNotifications :many
SELECT count(*) AS discarded FROM {{schema}}.held_notifications WHERE outcome = 'discarded'

-- Runs that the rate limit has stopped, each with how many notifications of its shards would be sent.
-- name: ListRunsWaitingForDecision :many
SELECT held.run_id, count(*) AS notifications
FROM {{schema}}.held_notifications AS held
JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
JOIN {{schema}}.run_shards AS part ON part.run_id = held.run_id AND part.shard = held.shard
WHERE held.outcome IS NULL AND part.status = 'held'
  AND coalesce(held.status_reason, '') IN ('', {{pending_reasons}})
GROUP BY held.run_id, run.started_at
ORDER BY run.started_at DESC, held.run_id

-- MARK: Groups. A live run groups what it is about to release, a shadow run what it has put into its queue.

-- name: ListReleasedToGroup :many
SELECT recipient_user_id, member_user_id, alert_state_id, level, channel, payload, priority,
  scheduled_for, expires_at, status_reason, group_night
FROM {{schema}}.held_notifications
WHERE run_id = $1 AND group_night IS NOT NULL AND group_id IS NULL
  AND outcome = 'released' AND decided_at = $2
  AND (CAST($3 AS integer) IS NULL OR shard = CAST($3 AS integer))

-- name: ListShadowToGroup :many
SELECT recipient_user_id, member_user_id, alert_state_id, level, channel, payload, priority,
  scheduled_for, expires_at, status_reason, group_night
FROM {{schema}}.shadow_notification_queue
WHERE run_id = $1 AND group_night IS NOT NULL AND group_id IS NULL AND status = 'pending'

-- A group has the columns of its gravest row ($2), except $3 id, $4 key, $5 type, $6 template, $7 payload.
-- name: group_columns :part
id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level,
channel, payload, priority, scheduled_for, expires_at, max_attempts, status_reason, group_night, dedupe_key,
run_id, created_at, updated_at

-- name: group_values :part
$3, recipient_user_id, member_user_id, alert_state_id, $5, $6, level, channel,
$7, priority, scheduled_for, expires_at, max_attempts, status_reason, NULL, $4,
run_id, created_at, updated_at

-- name: InsertReleasedGroup :exec
INSERT INTO {{schema}}.held_notifications ({{group_columns}}, shard, outcome, decided_at)
SELECT {{group_values}}, shard, outcome, decided_at
FROM {{schema}}.held_notifications
WHERE run_id = $1 AND dedupe_key = $2
ON CONFLICT DO NOTHING

-- name: InsertShadowGroup :exec
INSERT INTO {{schema}}.shadow_notification_queue ({{group_columns}}, status)
SELECT {{group_values}}, status
FROM {{schema}}.shadow_notification_queue
WHERE run_id = $1 AND dedupe_key = $2
ON CONFLICT DO NOTHING

-- name: JoinReleasedGroup :exec
UPDATE {{schema}}.held_notifications SET group_id = $3
WHERE run_id = $1 AND dedupe_key = $2

-- name: JoinShadowGroup :exec
UPDATE {{schema}}.shadow_notification_queue
SET group_id = $3, status = 'skipped', status_reason = 'grouped'
WHERE run_id = $1 AND dedupe_key = $2
