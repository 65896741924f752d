-- What both databases do with a row that is there already.

-- Notified levels never fall, whatever an earlier state of the row a run has seen. What members set is theirs to
-- change, with two exceptions: a retracted row, which they cannot act on, takes over what they set about the row
-- in its place, and a row that comes into another event what they set about that event.
-- name: alert_replacement :part
ON CONFLICT (id) DO UPDATE SET
  ({{alert_updates}}) = ({{excluded.alert_updates}}),
  last_notified_level = CASE
    WHEN pattern_alert_state.last_notified_level IS NULL
      OR excluded.last_notified_level > pattern_alert_state.last_notified_level
    THEN excluded.last_notified_level ELSE pattern_alert_state.last_notified_level
  END,
  last_notified_at = coalesce(excluded.last_notified_at, pattern_alert_state.last_notified_at),
  shadow_notified_level = CASE
    WHEN pattern_alert_state.shadow_notified_level IS NULL
      OR excluded.shadow_notified_level > pattern_alert_state.shadow_notified_level
    THEN excluded.shadow_notified_level ELSE pattern_alert_state.shadow_notified_level
  END,
  snooze_until = CASE
    WHEN {{takes_over_settings}}
    THEN excluded.snooze_until ELSE pattern_alert_state.snooze_until
  END,
  dismissed_at = CASE
    WHEN {{takes_over_settings}}
    THEN excluded.dismissed_at ELSE pattern_alert_state.dismissed_at
  END,
  acknowledged_at = CASE
    WHEN {{takes_over_settings}}
    THEN excluded.acknowledged_at ELSE pattern_alert_state.acknowledged_at
  END,
  acknowledged_by = CASE
    WHEN {{takes_over_settings}}
    THEN excluded.acknowledged_by ELSE pattern_alert_state.acknowledged_by
  END

-- name: takes_over_settings :part
pattern_alert_state.resolution_reason = 'retracted'
  OR pattern_alert_state.event_id <> excluded.event_id

-- A notification that is or was in the live queue for good is not held again, so that a day that is run again
-- adds nothing.
-- name: was_enqueued :part
EXISTS (
  SELECT 1 FROM {{schema}}.notification_queue AS queued
  WHERE queued.dedupe_key = planned.dedupe_key AND NOT (
    queued.status = 'skipped' AND queued.status_reason IN ({{replaceable_reasons}})
  )
) OR EXISTS (
  SELECT 1 FROM {{schema}}.spent_notifications AS spent WHERE spent.id = planned.id
)

-- A live run replaces what it has planned when it sees newer data, until a person decides.
-- name: held_replacement :part
ON CONFLICT (run_id, dedupe_key) DO UPDATE SET
  ({{held_updates}}) = ({{excluded.held_updates}})
WHERE held_notifications.outcome IS NULL

-- What was never to be sent gives way to what is, by itself or in a group.
-- name: shadow_replacement :part
ON CONFLICT (dedupe_key) DO UPDATE SET
  ({{shadow_updates}}) = ({{excluded.shadow_updates}})
WHERE shadow_notification_queue.status = 'skipped'
  AND shadow_notification_queue.status_reason IN ({{replaceable_reasons}})
  AND (excluded.status = 'pending' OR excluded.group_id IS NOT NULL)

-- name: version_replacement :part
ON CONFLICT (schedule_id, valid_from) DO UPDATE SET
  row = excluded.row, run_id = excluded.run_id, updated_at = excluded.updated_at

-- These three are followed by a comparison, which each database writes in its own way: a row that says the same
-- is left alone.
-- name: analytics_replacement :part
ON CONFLICT (id) DO UPDATE SET
  ({{analytics_figures}}) = ({{excluded.analytics_figures}}),
  evaluated_at = excluded.evaluated_at, run_id = excluded.run_id, updated_at = excluded.updated_at

-- A row of a later day is left alone too.
-- name: coverage_replacement :part
ON CONFLICT (user_id) DO UPDATE SET
  ({{coverage_figures}}) = ({{excluded.coverage_figures}}),
  run_id = excluded.run_id, updated_at = excluded.updated_at

-- name: insight_replacement :part
ON CONFLICT (id) DO UPDATE SET
  ({{insight_figures}}) = ({{excluded.insight_figures}}),
  run_id = excluded.run_id, updated_at = excluded.updated_at
