-- What became of every planned notification, who set an alert aside, and which escalations wait for an
-- answer.

-- MARK: Queues

ALTER TABLE notification_queue ADD COLUMN status_reason TEXT
  CONSTRAINT notification_queue_status_reason_known CHECK (
    status_reason IS NULL OR status_reason IN (
      'quiet_hours', 'snoozed', 'dismissed', 'preference_off', 'superseded', 'resolved', 'expired',
      'grouped'
    )
  );
-- The night whose group the row may join; NULL where it goes out by itself.
ALTER TABLE notification_queue ADD COLUMN group_night TEXT;
-- The row that tells this one with others.
ALTER TABLE notification_queue ADD COLUMN group_id TEXT;

ALTER TABLE shadow_notification_queue ADD COLUMN status_reason TEXT
  CONSTRAINT shadow_notification_queue_status_reason_known CHECK (
    status_reason IS NULL OR status_reason IN (
      'quiet_hours', 'snoozed', 'dismissed', 'preference_off', 'superseded', 'resolved', 'expired',
      'grouped'
    )
  );
-- The night whose group the row may join; NULL where it goes out by itself.
ALTER TABLE shadow_notification_queue ADD COLUMN group_night TEXT;
-- The row that tells this one with others.
ALTER TABLE shadow_notification_queue ADD COLUMN group_id TEXT;

CREATE INDEX notification_queue_by_group ON notification_queue (group_id)
WHERE group_id IS NOT NULL;

CREATE INDEX shadow_notification_queue_ungrouped ON shadow_notification_queue (run_id)
WHERE group_night IS NOT NULL AND group_id IS NULL;

-- SQLite cannot change a CHECK, so the table is made anew with the rows it has.
ALTER TABLE held_notifications RENAME TO held_notifications_before;
DROP INDEX held_notifications_undecided;

CREATE TABLE held_notifications (
  id TEXT NOT NULL,
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
  max_attempts INTEGER NOT NULL,
  dedupe_key TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  level INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  -- What became of it; NULL while nobody has decided.
  outcome TEXT,
  decided_at TEXT,
  status_reason TEXT,
  -- The night whose group the row may join; NULL where it goes out by itself.
  group_night TEXT,
  -- The row that tells this one with others.
  group_id TEXT,
  -- The row of escalation_log that its release makes; NULL where nobody but the person is told.
  escalation_id TEXT,
  PRIMARY KEY (run_id, dedupe_key),
  CONSTRAINT held_notifications_run FOREIGN KEY (run_id) REFERENCES batch_runs (id),
  CONSTRAINT held_notifications_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id),
  CONSTRAINT held_notifications_member FOREIGN KEY (member_user_id) REFERENCES users (id),
  CONSTRAINT held_notifications_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT held_notifications_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT held_notifications_channel_known CHECK (
    channel IN ('push', 'whatsapp', 'sms', 'email', 'in_app')
  ),
  CONSTRAINT held_notifications_payload_is_json CHECK (json_valid(payload)),
  CONSTRAINT held_notifications_priority_known CHECK (
    priority IN ('low', 'normal', 'high', 'critical')
  ),
  CONSTRAINT held_notifications_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT held_notifications_times_are_utc CHECK (
    scheduled_for GLOB '????-??-??T??:??:??.??????Z'
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
    AND (decided_at IS NULL OR decided_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT held_notifications_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT held_notifications_outcome_known CHECK (
    outcome IS NULL OR outcome IN (
      'released', 'discarded', 'superseded', 'resolved', 'dismissed', 'snoozed', 'preference_off',
      'repeated'
    )
  ),
  CONSTRAINT held_notifications_outcome_has_time CHECK ((outcome IS NULL) = (decided_at IS NULL))
) STRICT;

INSERT INTO held_notifications (
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id,
  channel, payload, priority, scheduled_for, expires_at, max_attempts, dedupe_key, run_id,
  created_at, updated_at, level, shard, outcome, decided_at
)
SELECT
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id,
  channel, payload, priority, scheduled_for, expires_at, max_attempts, dedupe_key, run_id,
  created_at, updated_at, level, shard, outcome, decided_at
FROM held_notifications_before;

DROP TABLE held_notifications_before;

CREATE INDEX held_notifications_undecided ON held_notifications (alert_state_id)
WHERE outcome IS NULL;

-- Ids of notifications whose rows are gone from the queue, so that they are never enqueued again.
CREATE TABLE spent_notifications (
  id TEXT PRIMARY KEY NOT NULL,
  pruned_at TEXT NOT NULL,
  CONSTRAINT spent_notifications_pruned_at_is_utc CHECK (
    pruned_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT, WITHOUT ROWID;

-- MARK: Alerts

-- Who set what aside, and when; the newest of them is what the alert says.
CREATE TABLE alert_actions (
  id TEXT PRIMARY KEY NOT NULL,
  alert_state_id TEXT NOT NULL,
  action TEXT NOT NULL,
  actor_user_id TEXT NOT NULL,
  acted_at TEXT NOT NULL,
  -- The first day that is told of again.
  snooze_until TEXT,
  CONSTRAINT alert_actions_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT alert_actions_actor FOREIGN KEY (actor_user_id) REFERENCES users (id),
  CONSTRAINT alert_actions_action_known CHECK (
    action IN ('acknowledge', 'snooze', 'dismiss', 'restore')
  ),
  CONSTRAINT alert_actions_acted_at_is_utc CHECK (acted_at GLOB '????-??-??T??:??:??.??????Z'),
  CONSTRAINT alert_actions_snooze_has_end CHECK ((action = 'snooze') = (snooze_until IS NOT NULL)),
  CONSTRAINT alert_actions_snooze_until_is_date CHECK (
    snooze_until IS NULL OR snooze_until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
  )
) STRICT;

CREATE INDEX alert_actions_by_alert ON alert_actions (alert_state_id, acted_at);

-- Who of a family was called upon, and whether they answered; no health value in it.
CREATE TABLE escalation_log (
  id TEXT PRIMARY KEY NOT NULL,
  patient_id TEXT NOT NULL,
  caregiver_id TEXT NOT NULL,
  -- The app's relation of the two, where it knows one.
  relation_id TEXT,
  escalation_type TEXT NOT NULL,
  -- The alert or insight that was escalated.
  related_blob_id TEXT,
  triggered_at TEXT NOT NULL,
  -- How long it had lasted before it was escalated.
  window_minutes INTEGER,
  status TEXT NOT NULL DEFAULT 'pending',
  acknowledged_at TEXT,
  resolved_at TEXT,
  resolution TEXT,
  -- A JSON array of channels.
  channels_used TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  CONSTRAINT escalation_log_patient FOREIGN KEY (patient_id) REFERENCES users (id),
  CONSTRAINT escalation_log_caregiver FOREIGN KEY (caregiver_id) REFERENCES users (id),
  CONSTRAINT escalation_log_escalation_type_known CHECK (
    escalation_type IN (
      'missed_dose', 'critical_value', 'panic_button', 'inactivity', 'pattern_anomaly'
    )
  ),
  CONSTRAINT escalation_log_status_known CHECK (
    status IN ('pending', 'notified', 'acknowledged', 'resolved', 'expired')
  ),
  CONSTRAINT escalation_log_resolution_known CHECK (
    resolution IS NULL OR resolution IN (
      'confirmed_ok', 'marked_taken', 'contacted_patient', 'called_emergency', 'false_alarm',
      'no_response'
    )
  ),
  CONSTRAINT escalation_log_window_not_negative CHECK (window_minutes >= 0),
  CONSTRAINT escalation_log_channels_are_json CHECK (json_valid(channels_used)),
  CONSTRAINT escalation_log_times_are_utc CHECK (
    triggered_at GLOB '????-??-??T??:??:??.??????Z'
    AND created_at GLOB '????-??-??T??:??:??.??????Z'
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
    AND (acknowledged_at IS NULL OR acknowledged_at GLOB '????-??-??T??:??:??.??????Z')
    AND (resolved_at IS NULL OR resolved_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT escalation_log_expires_after_trigger CHECK (expires_at >= triggered_at)
) STRICT;

CREATE INDEX escalation_log_open ON escalation_log (expires_at)
WHERE status IN ('pending', 'notified');
