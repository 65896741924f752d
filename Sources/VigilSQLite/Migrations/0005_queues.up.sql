-- Notifications to send, those that shadow runs plan and live runs hold, addresses, and calls upon caregivers.

CREATE TABLE notification_queue (
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
  expires_at TEXT NOT NULL,
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
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
    AND (next_attempt_at IS NULL OR next_attempt_at GLOB '????-??-??T??:??:??.??????Z')
    AND (lease_until IS NULL OR lease_until GLOB '????-??-??T??:??:??.??????Z')
    AND (sent_at IS NULL OR sent_at GLOB '????-??-??T??:??:??.??????Z')
  ),
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
  CONSTRAINT notification_queue_fencing_token_not_negative CHECK (fencing_token >= 0)
) STRICT;

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
  expires_at TEXT NOT NULL,
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
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
  ),
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
  expires_at TEXT NOT NULL,
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
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
    AND (decided_at IS NULL OR decided_at GLOB '????-??-??T??:??:??.??????Z')
  ),
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

CREATE TABLE escalation_log (
  id TEXT PRIMARY KEY NOT NULL,
  patient_id TEXT NOT NULL,
  caregiver_id TEXT,
  relation_id TEXT,
  escalation_type TEXT NOT NULL,
  related_blob_id TEXT,
  triggered_at TEXT NOT NULL,
  window_minutes INTEGER,
  status TEXT NOT NULL DEFAULT 'pending',
  acknowledged_at TEXT,
  resolved_at TEXT,
  resolution TEXT,
  channels_used TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  level INTEGER,
  step INTEGER NOT NULL DEFAULT 0,
  emergency_contact_id TEXT,
  CONSTRAINT escalation_log_patient FOREIGN KEY (patient_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT escalation_log_caregiver FOREIGN KEY (caregiver_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT escalation_log_escalation_type_known CHECK (
    escalation_type IN (
      'missed_dose', 'critical_value', 'panic_button', 'inactivity', 'pattern_anomaly',
      'refill_due'
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
  CONSTRAINT escalation_log_expires_after_trigger CHECK (expires_at >= triggered_at),
  CONSTRAINT escalation_log_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT escalation_log_step_not_negative CHECK (step >= 0),
  CONSTRAINT escalation_log_one_is_called CHECK (
    (caregiver_id IS NULL) <> (emergency_contact_id IS NULL)
  )
) STRICT;

CREATE INDEX escalation_log_open ON escalation_log (expires_at)
WHERE status IN ('pending', 'notified');

CREATE INDEX escalation_log_unanswered ON escalation_log (level, expires_at)
WHERE status IN ('pending', 'notified', 'expired') AND resolution IS NULL;

CREATE INDEX escalation_log_by_alert ON escalation_log (related_blob_id);

CREATE TABLE caregiver_priority (
  user_id TEXT NOT NULL,
  caregiver_id TEXT NOT NULL,
  priority INTEGER NOT NULL,
  PRIMARY KEY (user_id, caregiver_id),
  CONSTRAINT caregiver_priority_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT caregiver_priority_caregiver FOREIGN KEY (caregiver_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT caregiver_priority_is_of_others CHECK (user_id <> caregiver_id),
  CONSTRAINT caregiver_priority_in_range CHECK (priority BETWEEN 1 AND 1000)
) STRICT, WITHOUT ROWID;

CREATE TABLE caregiver_availability (
  user_id TEXT NOT NULL,
  weekday INTEGER NOT NULL,
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  PRIMARY KEY (user_id, weekday, starts_at),
  CONSTRAINT caregiver_availability_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT caregiver_availability_weekday_known CHECK (weekday BETWEEN 0 AND 6),
  CONSTRAINT caregiver_availability_are_times CHECK (
    starts_at IS strftime('%H:%M', starts_at) AND ends_at IS strftime('%H:%M', ends_at)
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE emergency_contacts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  priority INTEGER NOT NULL,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  language TEXT,
  opted_in_at TEXT,
  revoked_at TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  CONSTRAINT emergency_contacts_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT emergency_contacts_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT emergency_contacts_priority_in_range CHECK (priority BETWEEN 1 AND 1000),
  CONSTRAINT emergency_contacts_channel_known CHECK (channel IN ({{emergency_channels}})),
  CONSTRAINT emergency_contacts_address_is_line CHECK (
    address <> '' AND length(address) <= 320 AND address NOT GLOB '*[' || char(1) || '-' || char(31) || ']*'
  ),
  CONSTRAINT emergency_contacts_telephone_is_number CHECK (
    channel <> 'sms' OR address GLOB '+[1-9]*' AND substr(address, 2) NOT GLOB '*[^0-9]*'
    AND length(address) BETWEEN 8 AND 16
  ),
  CONSTRAINT emergency_contacts_language_is_tag CHECK (
    language IS NULL OR language GLOB '[a-z][a-z]*' AND language NOT GLOB '*[^A-Za-z0-9-]*'
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX emergency_contacts_by_user ON emergency_contacts (user_id);

CREATE TABLE contact_points (
  user_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  language TEXT,
  verified_at TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  PRIMARY KEY (user_id, channel),
  CONSTRAINT contact_points_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT contact_points_channel_known CHECK (channel IN ({{addressed_channels}})),
  CONSTRAINT contact_points_address_is_line CHECK (
    address <> '' AND length(address) <= 320 AND address NOT GLOB '*[' || char(1) || '-' || char(31) || ']*'
  ),
  CONSTRAINT contact_points_telephone_is_number CHECK (
    channel <> 'sms' OR address GLOB '+[1-9]*' AND substr(address, 2) NOT GLOB '*[^0-9]*'
    AND length(address) BETWEEN 8 AND 16
  ),
  CONSTRAINT contact_points_language_is_tag CHECK (
    language IS NULL OR language GLOB '[a-z][a-z]*' AND language NOT GLOB '*[^A-Za-z0-9-]*'
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE push_tokens (
  platform TEXT NOT NULL,
  token TEXT NOT NULL,
  user_id TEXT NOT NULL,
  language TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  revoked_at TEXT,
  PRIMARY KEY (platform, token),
  CONSTRAINT push_tokens_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT push_tokens_platform_known CHECK (platform IN ('apns', 'fcm')),
  CONSTRAINT push_tokens_token_is_line CHECK (
    token <> '' AND length(token) <= 4096 AND token NOT GLOB '*[' || char(1) || '-' || char(31) || ']*'
  ),
  CONSTRAINT push_tokens_language_is_tag CHECK (
    language IS NULL OR language GLOB '[a-z][a-z]*' AND language NOT GLOB '*[^A-Za-z0-9-]*'
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX push_tokens_by_user ON push_tokens (user_id) WHERE revoked_at IS NULL;

CREATE TABLE sms_log (
  notification_id TEXT NOT NULL,
  month TEXT NOT NULL,
  recipient_user_id TEXT NOT NULL,
  status TEXT NOT NULL,
  fencing_token INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (notification_id, month),
  CONSTRAINT sms_log_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT sms_log_status_known CHECK (status IN ('attempting', 'sent', 'unknown', 'not_sent')),
  CONSTRAINT sms_log_month_is_first_day CHECK (month GLOB '????-??-01')
) STRICT, WITHOUT ROWID;

CREATE INDEX sms_log_by_recipient ON sms_log (recipient_user_id, month);

CREATE TABLE channel_rests (
  channel TEXT PRIMARY KEY NOT NULL,
  rests INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  last_error TEXT NOT NULL,
  rests_until TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT channel_rests_channel_known CHECK (channel IN ({{sent_channels}})),
  CONSTRAINT channel_rests_counts_positive CHECK (rests > 0 AND failures > 0),
  CONSTRAINT channel_rests_last_error_is_code CHECK (
    length(last_error) BETWEEN 1 AND 64 AND last_error NOT GLOB '*[^a-z0-9_]*'
  ),
  CONSTRAINT channel_rests_times_are_utc CHECK (
    rests_until GLOB '????-??-??T??:??:??.??????Z'
    AND updated_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT;

CREATE TABLE provisional_alerts (
  alert_state_id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  evaluated_on TEXT NOT NULL,
  revision INTEGER NOT NULL,
  confirmed TEXT,
  notified_level INTEGER,
  shadow_notified_level INTEGER,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT provisional_alerts_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_alerts_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_alerts_ids_are_uuids CHECK (
    length(alert_state_id) = 36 AND length(user_id) = 36 AND length(run_id) = 36
  ),
  CONSTRAINT provisional_alerts_evaluated_on_is_date CHECK (evaluated_on IS date(evaluated_on)),
  CONSTRAINT provisional_alerts_revision_positive CHECK (revision > 0),
  CONSTRAINT provisional_alerts_confirmed_is_json CHECK (confirmed IS NULL OR json_valid(confirmed)),
  CONSTRAINT provisional_alerts_levels_known CHECK (
    notified_level IN (3, 7, 14, 21) AND shadow_notified_level IN (3, 7, 14, 21)
  ),
  CONSTRAINT provisional_alerts_times_are_utc CHECK (
    created_at GLOB '????-??-??T??:??:??.??????Z'
    AND updated_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT;

CREATE INDEX provisional_alerts_by_user ON provisional_alerts (user_id);

CREATE TABLE provisional_notifications (
  id TEXT PRIMARY KEY NOT NULL,
  alert_state_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  CONSTRAINT provisional_notifications_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_notifications_ids_are_uuids CHECK (
    length(id) = 36 AND length(alert_state_id) = 36 AND length(user_id) = 36
  ),
  CONSTRAINT provisional_notifications_level_known CHECK (level IN (3, 7, 14, 21))
) STRICT;

CREATE INDEX provisional_notifications_by_alert ON provisional_notifications (alert_state_id);

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL,
  alert_state_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  CONSTRAINT outbox_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT outbox_kind_known CHECK (
    kind IN ('opened', 'escalated', 'ended', 'provisional', 'confirmed', 'retracted')
  ),
  CONSTRAINT outbox_ids_are_uuids CHECK (
    length(user_id) = 36 AND length(alert_state_id) = 36 AND length(run_id) = 36
  ),
  CONSTRAINT outbox_created_at_is_utc CHECK (created_at GLOB '????-??-??T??:??:??.??????Z')
) STRICT;

CREATE INDEX outbox_by_time ON outbox (created_at);
