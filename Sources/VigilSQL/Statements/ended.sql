-- What the statements of several subjects share about the end of alerts.

-- Whether the event has ended of which members are notified in the name of `alert`: all of its alerts have.
-- name: has_ended :part
alert.episode_status = 'resolved' AND NOT EXISTS (
  SELECT 1 FROM {{schema}}.pattern_alert_state AS joined
  WHERE joined.event_id = alert.id AND joined.event_id <> joined.id
    AND joined.episode_status = 'active'
)
