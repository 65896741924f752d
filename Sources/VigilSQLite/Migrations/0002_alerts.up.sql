-- What a run leaves: one row an episode, and the notifications planned from them.

CREATE TABLE pattern_alert_state (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  metric_type TEXT NOT NULL,
  pattern_type TEXT NOT NULL,
  episode_status TEXT NOT NULL,
  active_since TEXT NOT NULL,
  last_evaluated_date TEXT NOT NULL,
  consecutive_true_days INTEGER NOT NULL,
  current_level INTEGER NOT NULL,
  severity TEXT NOT NULL,
  last_notified_level INTEGER,
  last_notified_at TEXT,
  shadow_notified_level INTEGER,
  snooze_until TEXT,
  dismissed_at TEXT,
  acknowledged_at TEXT,
  acknowledged_by TEXT,
  baseline_start TEXT NOT NULL,
  baseline_end TEXT NOT NULL,
  baseline_days INTEGER NOT NULL,
  baseline_value REAL NOT NULL,
  recent_start TEXT NOT NULL,
  recent_end TEXT NOT NULL,
  recent_value REAL NOT NULL,
  -- A fraction of the baseline; NULL where the baseline is 0.
  deviation_percent REAL,
  resolved_on TEXT,
  resolution_reason TEXT,
  thresholds_version TEXT NOT NULL,
  thresholds_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  computed_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT pattern_alert_state_natural_key
    UNIQUE (user_id, metric_type, pattern_type, active_since),
  CONSTRAINT pattern_alert_state_user FOREIGN KEY (user_id) REFERENCES users (id),
  CONSTRAINT pattern_alert_state_ids_are_uuids CHECK (
    id GLOB '????????-????-????-????-????????????'
    AND length(run_id) = 36
    AND (acknowledged_by IS NULL OR length(acknowledged_by) = 36)
  ),
  CONSTRAINT pattern_alert_state_metric_type_not_empty CHECK (metric_type <> ''),
  CONSTRAINT pattern_alert_state_pattern_type_known CHECK (
    pattern_type IN ('drop_vs_baseline', 'rise_vs_baseline')
  ),
  CONSTRAINT pattern_alert_state_episode_status_known CHECK (
    episode_status IN ('active', 'resolved')
  ),
  CONSTRAINT pattern_alert_state_severity_matches_level CHECK (
    CASE current_level
      WHEN 3 THEN severity = 'watch'
      WHEN 7 THEN severity = 'attention'
      WHEN 14 THEN severity = 'critical'
      WHEN 21 THEN severity = 'critical'
      ELSE FALSE
    END
  ),
  CONSTRAINT pattern_alert_state_notified_levels_known CHECK (
    (last_notified_level IS NULL OR last_notified_level IN (3, 7, 14, 21))
    AND (shadow_notified_level IS NULL OR shadow_notified_level IN (3, 7, 14, 21))
  ),
  CONSTRAINT pattern_alert_state_dates_are_dates CHECK (
    active_since GLOB '????-??-??'
    AND last_evaluated_date GLOB '????-??-??'
    AND baseline_start GLOB '????-??-??'
    AND baseline_end GLOB '????-??-??'
    AND recent_start GLOB '????-??-??'
    AND recent_end GLOB '????-??-??'
    AND (resolved_on IS NULL OR resolved_on GLOB '????-??-??')
    AND (snooze_until IS NULL OR snooze_until GLOB '????-??-??')
  ),
  CONSTRAINT pattern_alert_state_dates_in_order CHECK (
    active_since <= last_evaluated_date
    AND baseline_start <= baseline_end
    AND recent_start <= recent_end
  ),
  CONSTRAINT pattern_alert_state_days_positive CHECK (
    consecutive_true_days > 0 AND baseline_days > 0
  ),
  CONSTRAINT pattern_alert_state_resolution_matches_status CHECK (
    (episode_status = 'resolved') = (resolved_on IS NOT NULL)
    AND (resolved_on IS NULL) = (resolution_reason IS NULL)
  ),
  CONSTRAINT pattern_alert_state_resolution_reason_known CHECK (
    resolution_reason IS NULL
    OR resolution_reason IN ('recovered', 'superseded', 'no_data', 'rebased', 'retracted')
  )
) STRICT;

CREATE UNIQUE INDEX pattern_alert_state_one_active
ON pattern_alert_state (user_id, metric_type, pattern_type)
WHERE episode_status = 'active';

CREATE INDEX pattern_alert_state_by_status_and_level
ON pattern_alert_state (user_id, episode_status, current_level);

CREATE TABLE notification_queue (
  id TEXT PRIMARY KEY NOT NULL,
  recipient_user_id TEXT NOT NULL,
  member_user_id TEXT NOT NULL,
  alert_state_id TEXT NOT NULL,
  notification_type TEXT NOT NULL,
  template_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority TEXT NOT NULL,
  scheduled_for TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL DEFAULT 3,
  last_attempt_at TEXT,
  last_error TEXT,
  sent_at TEXT,
  dedupe_key TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT notification_queue_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id),
  CONSTRAINT notification_queue_member FOREIGN KEY (member_user_id) REFERENCES users (id),
  CONSTRAINT notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT notification_queue_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT notification_queue_channel_known CHECK (
    channel IN ('push', 'whatsapp', 'sms', 'email', 'in_app')
  ),
  CONSTRAINT notification_queue_payload_is_json CHECK (json_valid(payload)),
  CONSTRAINT notification_queue_priority_known CHECK (
    priority IN ('low', 'normal', 'high', 'critical')
  ),
  CONSTRAINT notification_queue_status_known CHECK (
    status IN ('pending', 'processing', 'sent', 'failed', 'cancelled', 'skipped')
  ),
  -- Instants of one form only, because a sender compares them as text.
  CONSTRAINT notification_queue_times_are_utc CHECK (
    scheduled_for GLOB '????-??-??T??:??:??.??????Z'
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1)
) STRICT;

CREATE INDEX notification_queue_pending ON notification_queue (scheduled_for, priority)
WHERE status = 'pending';

-- What a live run would have sent; the same columns.
CREATE TABLE shadow_notification_queue (
  id TEXT PRIMARY KEY NOT NULL,
  recipient_user_id TEXT NOT NULL,
  member_user_id TEXT NOT NULL,
  alert_state_id TEXT NOT NULL,
  notification_type TEXT NOT NULL,
  template_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority TEXT NOT NULL,
  scheduled_for TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL DEFAULT 3,
  last_attempt_at TEXT,
  last_error TEXT,
  sent_at TEXT,
  dedupe_key TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT shadow_notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT shadow_notification_queue_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id),
  CONSTRAINT shadow_notification_queue_member FOREIGN KEY (member_user_id) REFERENCES users (id),
  CONSTRAINT shadow_notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT shadow_notification_queue_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT shadow_notification_queue_channel_known CHECK (
    channel IN ('push', 'whatsapp', 'sms', 'email', 'in_app')
  ),
  CONSTRAINT shadow_notification_queue_payload_is_json CHECK (json_valid(payload)),
  CONSTRAINT shadow_notification_queue_priority_known CHECK (
    priority IN ('low', 'normal', 'high', 'critical')
  ),
  CONSTRAINT shadow_notification_queue_status_known CHECK (
    status IN ('pending', 'processing', 'sent', 'failed', 'cancelled', 'skipped')
  ),
  -- Instants of one form only, because a sender compares them as text.
  CONSTRAINT shadow_notification_queue_times_are_utc CHECK (
    scheduled_for GLOB '????-??-??T??:??:??.??????Z'
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT shadow_notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT shadow_notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1)
) STRICT;

CREATE INDEX shadow_notification_queue_pending ON shadow_notification_queue (scheduled_for, priority)
WHERE status = 'pending';
