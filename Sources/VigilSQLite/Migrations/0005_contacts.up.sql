-- Addresses, the order and hours of caregivers, calls upon them, texts that were sent, and channels that rest.

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
    channel NOT IN ({{telephone_channels}}) OR address GLOB '+[1-9]*' AND substr(address, 2) NOT GLOB '*[^0-9]*'
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
  device_model TEXT,
  app_version TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  revoked_at TEXT,
  last_used_at TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  last_failed_at TEXT,
  PRIMARY KEY (platform, token),
  CONSTRAINT push_tokens_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT push_tokens_platform_known CHECK (platform IN ('apns', 'fcm')),
  CONSTRAINT push_tokens_token_is_line CHECK (
    token <> '' AND length(token) <= 4096 AND token NOT GLOB '*[' || char(1) || '-' || char(31) || ']*'
  ),
  CONSTRAINT push_tokens_device_model_is_short CHECK (
    length(device_model) <= 64 AND device_model GLOB '[A-Za-z0-9]*'
    AND device_model NOT GLOB '*[^A-Za-z0-9 ,._()/+-]*'
  ),
  CONSTRAINT push_tokens_app_version_is_version CHECK (
    length(app_version) <= 32 AND app_version GLOB '[A-Za-z0-9]*'
    AND app_version NOT GLOB '*[^A-Za-z0-9._+-]*'
  ),
  CONSTRAINT push_tokens_failures_not_negative CHECK (failures >= 0),
  CONSTRAINT push_tokens_times_are_utc CHECK (
    (last_used_at IS NULL OR last_used_at GLOB '????-??-??T??:??:??.??????Z')
    AND (last_failed_at IS NULL OR last_failed_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT push_tokens_language_is_tag CHECK (
    language IS NULL OR language GLOB '[a-z][a-z]*' AND language NOT GLOB '*[^A-Za-z0-9-]*'
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX push_tokens_by_user ON push_tokens (user_id) WHERE revoked_at IS NULL;

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
    channel NOT IN ({{telephone_channels}}) OR address GLOB '+[1-9]*' AND substr(address, 2) NOT GLOB '*[^0-9]*'
    AND length(address) BETWEEN 8 AND 16
  ),
  CONSTRAINT emergency_contacts_language_is_tag CHECK (
    language IS NULL OR language GLOB '[a-z][a-z]*' AND language NOT GLOB '*[^A-Za-z0-9-]*'
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX emergency_contacts_by_user ON emergency_contacts (user_id);

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

CREATE TABLE escalation_settings (
  user_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  window_minutes INTEGER,
  PRIMARY KEY (user_id, level),
  CONSTRAINT escalation_settings_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT escalation_settings_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT escalation_settings_window_in_range CHECK (window_minutes BETWEEN 5 AND 10080)
) STRICT, WITHOUT ROWID;

CREATE TABLE raised_alerts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  raised_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  resolved_at TEXT,
  resolved_by TEXT,
  planned_at TEXT,
  CONSTRAINT raised_alerts_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT raised_alerts_resolver FOREIGN KEY (resolved_by) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT raised_alerts_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT raised_alerts_status_known CHECK (status IN ('active', 'resolved')),
  -- An erased person leaves no name behind.
  CONSTRAINT raised_alerts_resolution_complete CHECK (
    (status = 'resolved') = (resolved_at IS NOT NULL)
    AND (resolved_by IS NULL OR resolved_at IS NOT NULL)
  ),
  CONSTRAINT raised_alerts_times_are_utc CHECK (
    raised_at GLOB '????-??-??T??:??:??.??????Z'
    AND (resolved_at IS NULL OR resolved_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT raised_alerts_times_in_order CHECK (resolved_at >= raised_at)
) STRICT;

CREATE UNIQUE INDEX raised_alerts_one_active ON raised_alerts (user_id) WHERE status = 'active';

CREATE INDEX raised_alerts_by_user ON raised_alerts (user_id, raised_at);

CREATE TABLE pings (
  id TEXT PRIMARY KEY NOT NULL,
  sender_user_id TEXT NOT NULL,
  recipient_user_id TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  responded_at TEXT,
  planned_at TEXT,
  CONSTRAINT pings_sender FOREIGN KEY (sender_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT pings_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT pings_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT pings_is_to_another CHECK (sender_user_id <> recipient_user_id),
  CONSTRAINT pings_status_known CHECK (status IN ('pending', 'responded', 'expired')),
  CONSTRAINT pings_response_complete CHECK ((status = 'responded') = (responded_at IS NOT NULL)),
  CONSTRAINT pings_times_are_utc CHECK (
    sent_at GLOB '????-??-??T??:??:??.??????Z' AND expires_at GLOB '????-??-??T??:??:??.??????Z'
    AND (responded_at IS NULL OR responded_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT pings_times_in_order CHECK (expires_at > sent_at AND responded_at >= sent_at)
) STRICT;

CREATE UNIQUE INDEX pings_one_pending ON pings (sender_user_id, recipient_user_id)
WHERE status = 'pending';

CREATE INDEX pings_by_recipient ON pings (recipient_user_id, sent_at);

CREATE TABLE check_in_reminders (
  user_id TEXT PRIMARY KEY NOT NULL,
  interval_start TEXT NOT NULL,
  planned_at TEXT NOT NULL,
  CONSTRAINT check_in_reminders_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
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

CREATE TABLE sms_log (
  notification_id TEXT NOT NULL,
  month TEXT NOT NULL,
  recipient_user_id TEXT NOT NULL,
  sms_type TEXT NOT NULL,
  number_digest TEXT,
  segments INTEGER,
  cost_micros INTEGER,
  currency TEXT,
  status TEXT NOT NULL,
  delivery_status TEXT NOT NULL DEFAULT 'queued',
  delivery_status_at TEXT NOT NULL,
  provider_message_id TEXT,
  fencing_token INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (notification_id, month),
  CONSTRAINT sms_log_sms_type_known CHECK (sms_type IN ({{sms_types}})),
  CONSTRAINT sms_log_number_digest_is_hex CHECK (
    length(number_digest) = 64 AND number_digest NOT GLOB '*[^0-9a-f]*'
  ),
  CONSTRAINT sms_log_segments_in_range CHECK (segments BETWEEN 1 AND 1000),
  CONSTRAINT sms_log_cost_complete CHECK (
    (cost_micros IS NULL) = (currency IS NULL) AND (cost_micros IS NULL OR cost_micros >= 0)
  ),
  CONSTRAINT sms_log_currency_is_code CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  CONSTRAINT sms_log_delivery_status_known CHECK (delivery_status IN ({{delivery_statuses}})),
  CONSTRAINT sms_log_delivery_status_at_is_utc CHECK (
    delivery_status_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT sms_log_provider_message_id_is_id CHECK (
    length(provider_message_id) BETWEEN 1 AND 128 AND provider_message_id GLOB '[A-Za-z0-9]*'
    AND provider_message_id NOT GLOB '*[^A-Za-z0-9._:-]*'
  ),
  CONSTRAINT sms_log_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT sms_log_status_known CHECK (status IN ('attempting', 'sent', 'unknown', 'not_sent')),
  CONSTRAINT sms_log_month_is_first_day CHECK (month GLOB '????-??-01')
) STRICT, WITHOUT ROWID;

CREATE INDEX sms_log_by_recipient ON sms_log (recipient_user_id, month);
CREATE INDEX sms_log_by_month ON sms_log (month, recipient_user_id);
CREATE INDEX sms_log_by_provider ON sms_log (provider_message_id)
WHERE provider_message_id IS NOT NULL;

CREATE TABLE sms_quota (
  id INTEGER PRIMARY KEY NOT NULL,
  per_month INTEGER NOT NULL,
  warning_percent INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT sms_quota_one_row CHECK (id = 1),
  CONSTRAINT sms_quota_per_month_positive CHECK (per_month > 0),
  CONSTRAINT sms_quota_warning_percent_in_range CHECK (warning_percent BETWEEN 1 AND 100),
  CONSTRAINT sms_quota_updated_at_is_utc CHECK (updated_at GLOB '????-??-??T??:??:??.??????Z')
) STRICT;

CREATE TABLE sms_quota_warnings (
  user_id TEXT PRIMARY KEY NOT NULL,
  month TEXT NOT NULL,
  planned_at TEXT NOT NULL,
  CONSTRAINT sms_quota_warnings_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT sms_quota_warnings_month_is_first_day CHECK (month GLOB '????-??-01'),
  CONSTRAINT sms_quota_warnings_planned_at_is_utc CHECK (
    planned_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT, WITHOUT ROWID;

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
