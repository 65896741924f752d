-- Notifications to send, those that shadow runs plan and live runs hold, and ids of those that were pruned.

CREATE TABLE notification_queue (
  id TEXT PRIMARY KEY NOT NULL,
  recipient_user_id TEXT NOT NULL,
  member_user_id TEXT NOT NULL,
  alert_state_id TEXT,
  notification_type TEXT NOT NULL,
  template_id TEXT NOT NULL,
  level INTEGER,
  channel TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority TEXT NOT NULL,
  scheduled_for TEXT NOT NULL,
  expires_at TEXT,
  status TEXT NOT NULL DEFAULT 'pending',
  status_reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL DEFAULT 3,
  last_attempt_at TEXT,
  last_error TEXT,
  sent_at TEXT,
  dedupe_key TEXT NOT NULL,
  group_night TEXT,
  group_id TEXT,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  next_attempt_at TEXT,
  lease_owner TEXT,
  lease_until TEXT,
  fencing_token INTEGER NOT NULL DEFAULT 0,
  emergency_contact_id TEXT,
  prompt_id TEXT,
  delivered_at TEXT,
  read_at TEXT,
  CONSTRAINT notification_queue_one_subject CHECK (
    (alert_state_id IS NULL) <> (prompt_id IS NULL) AND (level IS NULL) = (alert_state_id IS NULL)
  ),
  CONSTRAINT notification_queue_contact_complete CHECK (
    (notification_type = 'emergency_contact') = (emergency_contact_id IS NOT NULL)
  ),
  CONSTRAINT notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT notification_queue_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT notification_queue_member FOREIGN KEY (member_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT notification_queue_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT notification_queue_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT notification_queue_channel_known CHECK (channel IN ({{channels}})),
  CONSTRAINT notification_queue_payload_is_json CHECK (json_valid(payload)),
  CONSTRAINT notification_queue_priority_known CHECK (priority IN ({{priorities}})),
  CONSTRAINT notification_queue_status_known CHECK (status IN ({{notification_statuses}})),
  CONSTRAINT notification_queue_status_reason_known CHECK (
    status_reason IS NULL OR status_reason IN ({{status_reasons}})
  ),
  -- Instants of one form only, because a sender compares them as text.
  CONSTRAINT notification_queue_times_are_utc CHECK (
    scheduled_for GLOB '????-??-??T??:??:??.??????Z'
    AND (expires_at IS NULL OR expires_at GLOB '????-??-??T??:??:??.??????Z')
    AND (next_attempt_at IS NULL OR next_attempt_at GLOB '????-??-??T??:??:??.??????Z')
    AND (lease_until IS NULL OR lease_until GLOB '????-??-??T??:??:??.??????Z')
    AND (sent_at IS NULL OR sent_at GLOB '????-??-??T??:??:??.??????Z')
    AND (delivered_at IS NULL OR delivered_at GLOB '????-??-??T??:??:??.??????Z')
    AND (read_at IS NULL OR read_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT notification_queue_expires_unless_in_app CHECK (expires_at IS NOT NULL OR channel = 'in_app'),
  CONSTRAINT notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1),
  CONSTRAINT notification_queue_last_error_is_code CHECK (
    last_error IS NULL
    OR length(last_error) BETWEEN 1 AND 64 AND last_error NOT GLOB '*[^a-z0-9_]*'
  ),
  CONSTRAINT notification_queue_lease_complete CHECK (
    (lease_owner IS NULL) = (lease_until IS NULL)
    AND (lease_owner IS NULL OR status = 'processing')
  ),
  CONSTRAINT notification_queue_fencing_token_not_negative CHECK (fencing_token >= 0),
  -- What was cancelled may have been on a screen before.
  CONSTRAINT notification_queue_is_marked_in_app CHECK (
    delivered_at IS NULL OR channel = 'in_app' AND status IN ('sent', 'cancelled')
  ),
  CONSTRAINT notification_queue_is_delivered_before_read CHECK (
    read_at IS NULL OR delivered_at IS NOT NULL AND read_at >= delivered_at
  )
) STRICT;

CREATE INDEX notification_queue_by_prompt ON notification_queue (prompt_id)
WHERE prompt_id IS NOT NULL;

CREATE INDEX notification_queue_pending ON notification_queue (scheduled_for, priority)
WHERE status = 'pending';

-- A sender takes the rows of one channel and priority in the order in which they are due.
CREATE INDEX notification_queue_due ON notification_queue (
  channel, priority, coalesce(next_attempt_at, scheduled_for), id
)
WHERE status = 'pending';

CREATE INDEX notification_queue_leased ON notification_queue (recipient_user_id, lease_until)
WHERE status = 'processing';

CREATE INDEX notification_queue_sent ON notification_queue (recipient_user_id, sent_at)
WHERE status = 'sent';

CREATE INDEX notification_queue_failed ON notification_queue (updated_at) WHERE status = 'failed';

CREATE INDEX notification_queue_by_group ON notification_queue (group_id)
WHERE group_id IS NOT NULL;

CREATE TABLE shadow_notification_queue (
  id TEXT PRIMARY KEY NOT NULL,
  recipient_user_id TEXT NOT NULL,
  member_user_id TEXT NOT NULL,
  alert_state_id TEXT NOT NULL,
  notification_type TEXT NOT NULL,
  template_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  channel TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority TEXT NOT NULL,
  scheduled_for TEXT NOT NULL,
  expires_at TEXT,
  status TEXT NOT NULL DEFAULT 'pending',
  status_reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL DEFAULT 3,
  last_attempt_at TEXT,
  last_error TEXT,
  sent_at TEXT,
  dedupe_key TEXT NOT NULL,
  group_night TEXT,
  group_id TEXT,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT shadow_notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT shadow_notification_queue_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT shadow_notification_queue_member FOREIGN KEY (member_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT shadow_notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT shadow_notification_queue_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT shadow_notification_queue_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT shadow_notification_queue_channel_known CHECK (channel IN ({{channels}})),
  CONSTRAINT shadow_notification_queue_payload_is_json CHECK (json_valid(payload)),
  CONSTRAINT shadow_notification_queue_priority_known CHECK (priority IN ({{priorities}})),
  CONSTRAINT shadow_notification_queue_status_known CHECK (status IN ({{notification_statuses}})),
  CONSTRAINT shadow_notification_queue_status_reason_known CHECK (
    status_reason IS NULL OR status_reason IN (
      'quiet_hours', 'snoozed', 'dismissed', 'covered', 'excluded', 'preference_off', 'superseded',
      'resolved', 'expired', 'grouped'
    )
  ),
  -- Instants of one form only, because a sender compares them as text.
  CONSTRAINT shadow_notification_queue_times_are_utc CHECK (
    scheduled_for GLOB '????-??-??T??:??:??.??????Z'
    AND (expires_at IS NULL OR expires_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT shadow_notification_queue_expires_unless_in_app CHECK (expires_at IS NOT NULL OR channel = 'in_app'),
  CONSTRAINT shadow_notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT shadow_notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1)
) STRICT;

CREATE INDEX shadow_notification_queue_pending ON shadow_notification_queue (scheduled_for, priority)
WHERE status = 'pending';

CREATE INDEX shadow_notification_queue_ungrouped ON shadow_notification_queue (run_id)
WHERE group_night IS NOT NULL AND group_id IS NULL;

CREATE TABLE held_notifications (
  id TEXT NOT NULL,
  recipient_user_id TEXT NOT NULL,
  member_user_id TEXT NOT NULL,
  alert_state_id TEXT NOT NULL,
  notification_type TEXT NOT NULL,
  template_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  channel TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority TEXT NOT NULL,
  scheduled_for TEXT NOT NULL,
  expires_at TEXT,
  status_reason TEXT,
  max_attempts INTEGER NOT NULL,
  dedupe_key TEXT NOT NULL,
  group_night TEXT,
  group_id TEXT,
  escalation_id TEXT,
  run_id TEXT NOT NULL,
  shard INTEGER NOT NULL,
  outcome TEXT,
  decided_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (run_id, dedupe_key),
  CONSTRAINT held_notifications_run FOREIGN KEY (run_id) REFERENCES batch_runs (id) ON DELETE RESTRICT,
  CONSTRAINT held_notifications_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT held_notifications_member FOREIGN KEY (member_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT held_notifications_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT held_notifications_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT held_notifications_channel_known CHECK (channel IN ({{channels}})),
  CONSTRAINT held_notifications_payload_is_json CHECK (json_valid(payload)),
  CONSTRAINT held_notifications_priority_known CHECK (priority IN ({{priorities}})),
  CONSTRAINT held_notifications_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT held_notifications_times_are_utc CHECK (
    scheduled_for GLOB '????-??-??T??:??:??.??????Z'
    AND (expires_at IS NULL OR expires_at GLOB '????-??-??T??:??:??.??????Z')
    AND (decided_at IS NULL OR decided_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT held_notifications_expires_unless_in_app CHECK (expires_at IS NOT NULL OR channel = 'in_app'),
  CONSTRAINT held_notifications_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT held_notifications_outcome_known CHECK (
    outcome IS NULL OR outcome IN (
      'released', 'discarded', 'superseded', 'resolved', 'covered', 'dismissed', 'snoozed',
      'excluded', 'preference_off', 'repeated'
    )
  ),
  CONSTRAINT held_notifications_outcome_has_time CHECK ((outcome IS NULL) = (decided_at IS NULL))
) STRICT;

CREATE INDEX held_notifications_undecided ON held_notifications (alert_state_id)
WHERE outcome IS NULL;

CREATE TABLE spent_notifications (
  id TEXT PRIMARY KEY NOT NULL,
  pruned_at TEXT NOT NULL,
  CONSTRAINT spent_notifications_pruned_at_is_utc CHECK (
    pruned_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT, WITHOUT ROWID;
