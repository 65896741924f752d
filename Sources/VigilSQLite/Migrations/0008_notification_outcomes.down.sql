DROP TABLE escalation_log;
DROP TABLE alert_actions;
DROP TABLE spent_notifications;

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
      'released', 'discarded', 'superseded', 'resolved', 'dismissed', 'snoozed'
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
  created_at, updated_at, level, shard, CASE WHEN outcome IN ('excluded', 'preference_off', 'repeated')
  THEN 'superseded' ELSE outcome END, decided_at
FROM held_notifications_before;

DROP TABLE held_notifications_before;

CREATE INDEX held_notifications_undecided ON held_notifications (alert_state_id)
WHERE outcome IS NULL;

DROP INDEX shadow_notification_queue_ungrouped;
DROP INDEX notification_queue_by_group;

ALTER TABLE shadow_notification_queue DROP COLUMN group_id;
ALTER TABLE shadow_notification_queue DROP COLUMN group_night;
ALTER TABLE shadow_notification_queue DROP COLUMN status_reason;

ALTER TABLE notification_queue DROP COLUMN group_id;
ALTER TABLE notification_queue DROP COLUMN group_night;
ALTER TABLE notification_queue DROP COLUMN status_reason;
