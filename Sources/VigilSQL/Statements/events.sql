-- Events: what is going on with a person at one time, in one metric or in several. event_id names the alert that
-- started it, in whose name members are notified. Most alerts are the only one of their event; the index
-- pattern_alert_state_by_event has the others.

-- The level of every active alert, and of every alert in whose name one of them is notified.
-- name: active_levels :part
going_on (id, level) AS (
  SELECT id, current_level FROM {{schema}}.pattern_alert_state WHERE episode_status = 'active'
  UNION ALL
  SELECT event_id, current_level FROM {{schema}}.pattern_alert_state
  WHERE episode_status = 'active' AND event_id <> id
), active_levels (id, level) AS (
  SELECT id, max(level) FROM going_on GROUP BY id
)
