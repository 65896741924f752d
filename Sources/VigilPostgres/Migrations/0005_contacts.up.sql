-- Addresses, the order and hours of caregivers, calls upon them, texts that were sent, and channels that rest.

-- MARK: Tables

CREATE TABLE {{schema}}.contact_points (
  user_id uuid NOT NULL,
  channel text NOT NULL,
  address text NOT NULL,
  language text,
  verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, channel),
  CONSTRAINT contact_points_channel_known CHECK (channel IN ({{addressed_channels}})),
  CONSTRAINT contact_points_address_is_line CHECK (
    address <> '' AND length(address) <= 320 AND address !~ '[[:cntrl:]]'
  ),
  CONSTRAINT contact_points_telephone_is_number CHECK (
    channel NOT IN ({{telephone_channels}}) OR address ~ '^\+[1-9][0-9]{6,14}$'
  ),
  CONSTRAINT contact_points_language_is_tag CHECK (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);

COMMENT ON TABLE {{schema}}.contact_points IS
  'Addresses of persons. The app writes them. A sender gives an address to the provider of its '
  'channel and to nothing else.';
COMMENT ON COLUMN {{schema}}.contact_points.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.contact_points.channel IS
  'The channel of the address, such as email.';
COMMENT ON COLUMN {{schema}}.contact_points.address IS
  'An e-mail address, or a telephone number in the form of E.164, such as +34600000000.';
COMMENT ON COLUMN {{schema}}.contact_points.language IS
  'Language of the messages, such as en or es. NULL means that of the sender''s settings.';
COMMENT ON COLUMN {{schema}}.contact_points.verified_at IS
  'When the person proved that the address is theirs. Nothing is sent to an address without it.';
COMMENT ON COLUMN {{schema}}.contact_points.created_at IS
  'When the row was added.';

CREATE TABLE {{schema}}.push_tokens (
  platform text NOT NULL,
  token text NOT NULL,
  user_id uuid NOT NULL,
  language text,
  device_model text,
  app_version text,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  last_failed_at timestamptz,
  PRIMARY KEY (platform, token),
  CONSTRAINT push_tokens_platform_known CHECK (platform IN ('apns', 'fcm')),
  CONSTRAINT push_tokens_token_is_line CHECK (
    token <> '' AND length(token) <= 4096 AND token !~ '[[:cntrl:]]'
  ),
  CONSTRAINT push_tokens_device_model_is_short CHECK (
    device_model ~ '^[A-Za-z0-9][A-Za-z0-9 ,._()/+-]{0,63}$'
  ),
  CONSTRAINT push_tokens_app_version_is_version CHECK (
    app_version ~ '^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$'
  ),
  CONSTRAINT push_tokens_failures_not_negative CHECK (failures >= 0),
  CONSTRAINT push_tokens_language_is_tag CHECK (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);

CREATE INDEX push_tokens_by_user ON {{schema}}.push_tokens (user_id) WHERE revoked_at IS NULL;

COMMENT ON TABLE {{schema}}.push_tokens IS
  'Devices that receive push messages. The app writes them. A sender gives a token to the provider '
  'of push messages and to nothing else.';
COMMENT ON COLUMN {{schema}}.push_tokens.platform IS
  'The service that reaches the device: apns (Apple) or fcm (Google).';
COMMENT ON COLUMN {{schema}}.push_tokens.token IS
  'The device, as that service names it.';
COMMENT ON COLUMN {{schema}}.push_tokens.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.push_tokens.language IS
  'Language of the messages, such as en or es. NULL means that of the sender''s settings.';
COMMENT ON COLUMN {{schema}}.push_tokens.device_model IS
  'The model of the device, such as iPhone15,4; not the name that its owner has given it. The app writes it.';
COMMENT ON COLUMN {{schema}}.push_tokens.app_version IS
  'The version of the app, such as 2.4.1. The app writes it.';
COMMENT ON COLUMN {{schema}}.push_tokens.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.push_tokens.last_used_at IS
  'When the service of the device last accepted a message for it. A sender writes it.';
COMMENT ON COLUMN {{schema}}.push_tokens.failures IS
  'How many times in a row the service has refused the device. From 10 on a sender leaves it out; an app that registers it '
  'again sets 0.';
COMMENT ON COLUMN {{schema}}.push_tokens.last_failed_at IS
  'When the service last refused the device. A sender writes it.';
COMMENT ON COLUMN {{schema}}.push_tokens.revoked_at IS
  'When the device stopped to receive messages, as the app or its service said. NULL while it does.';

CREATE TABLE {{schema}}.emergency_contacts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  priority integer NOT NULL,
  channel text NOT NULL,
  address text NOT NULL,
  language text,
  opted_in_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT emergency_contacts_priority_in_range CHECK (priority BETWEEN 1 AND 1000),
  CONSTRAINT emergency_contacts_channel_known CHECK (channel IN ({{emergency_channels}})),
  CONSTRAINT emergency_contacts_address_is_line CHECK (
    address <> '' AND length(address) <= 320 AND address !~ '[[:cntrl:]]'
  ),
  CONSTRAINT emergency_contacts_telephone_is_number CHECK (
    channel NOT IN ({{telephone_channels}}) OR address ~ '^\+[1-9][0-9]{6,14}$'
  ),
  CONSTRAINT emergency_contacts_language_is_tag CHECK (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);

CREATE INDEX emergency_contacts_by_user ON {{schema}}.emergency_contacts (user_id);

COMMENT ON TABLE {{schema}}.emergency_contacts IS
  'Whom a person wants to be called upon when no caregiver answers, and who is no member. Input of '
  'senders: an import or the app writes it. A sender gives an address to the provider of its channel and to '
  'nothing else.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.id IS
  'The contact.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.priority IS
  'From 1, which is called first, to 1000.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.channel IS
  'The channel of the address, such as sms.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.address IS
  'An e-mail address, or a telephone number in the form of E.164, such as +34600000000.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.language IS
  'Language of the messages, such as en or es. NULL means that of the sender''s settings.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.opted_in_at IS
  'When the person agreed that the contact is called upon. Nothing is sent without it, or before.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.revoked_at IS
  'When the person withdrew it. NULL while it holds.';
COMMENT ON COLUMN {{schema}}.emergency_contacts.created_at IS
  'When the row was added.';

CREATE TABLE {{schema}}.caregiver_priority (
  user_id uuid NOT NULL,
  caregiver_id uuid NOT NULL,
  priority integer NOT NULL,
  PRIMARY KEY (user_id, caregiver_id),
  CONSTRAINT caregiver_priority_is_of_others CHECK (user_id <> caregiver_id),
  CONSTRAINT caregiver_priority_in_range CHECK (priority BETWEEN 1 AND 1000)
);

COMMENT ON TABLE {{schema}}.caregiver_priority IS
  'The order in which members are called upon about a person when no answer comes. Input of senders: an import '
  'or the app writes it.';
COMMENT ON COLUMN {{schema}}.caregiver_priority.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.caregiver_priority.caregiver_id IS
  'A member of a family of theirs, of any role.';
COMMENT ON COLUMN {{schema}}.caregiver_priority.priority IS
  'From 1, which is called first, to 1000. Administrators without a row come after those with one.';

CREATE TABLE {{schema}}.caregiver_availability (
  user_id uuid NOT NULL,
  weekday integer NOT NULL,
  starts_at time NOT NULL,
  ends_at time NOT NULL,
  PRIMARY KEY (user_id, weekday, starts_at),
  CONSTRAINT caregiver_availability_weekday_known CHECK (weekday BETWEEN 0 AND 6),
  CONSTRAINT caregiver_availability_are_times CHECK (
    starts_at < TIME '24:00' AND starts_at = date_trunc('minute', starts_at)::time
    AND ends_at < TIME '24:00' AND ends_at = date_trunc('minute', ends_at)::time
  )
);

COMMENT ON TABLE {{schema}}.caregiver_availability IS
  'The hours in which caregivers can be called upon. A caregiver without a row always can. Input of '
  'senders: an import or the app writes it.';
COMMENT ON COLUMN {{schema}}.caregiver_availability.user_id IS
  'The caregiver.';
COMMENT ON COLUMN {{schema}}.caregiver_availability.weekday IS
  'The day on which the hours begin, from 0, which is Sunday, to 6.';
COMMENT ON COLUMN {{schema}}.caregiver_availability.starts_at IS
  'When they begin, in whole minutes of the caregiver''s time zone.';
COMMENT ON COLUMN {{schema}}.caregiver_availability.ends_at IS
  'When they end; the next day where it is not after starts_at.';

CREATE TABLE {{schema}}.escalation_settings (
  user_id uuid NOT NULL,
  level integer NOT NULL,
  window_minutes integer,
  PRIMARY KEY (user_id, level),
  CONSTRAINT escalation_settings_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT escalation_settings_window_in_range CHECK (window_minutes BETWEEN 5 AND 10080)
);

COMMENT ON TABLE {{schema}}.escalation_settings IS
  'What a person has chosen about calls upon caregivers when an alert about them has no answer, level by level. It goes '
  'before the settings of the sender, and does not hold for raised alerts. set_escalation, turn_off_escalation and '
  'reset_escalation write it.';
COMMENT ON COLUMN {{schema}}.escalation_settings.user_id IS
  'The person whom the alerts are about.';
COMMENT ON COLUMN {{schema}}.escalation_settings.level IS
  'The level: 3, 7, 14 or 21. At a level without a row the settings of the sender hold.';
COMMENT ON COLUMN {{schema}}.escalation_settings.window_minutes IS
  'After how many minutes without an answer the next caregiver is called upon, from 5 to 10080. NULL: no one is.';

CREATE TABLE {{schema}}.raised_alerts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  raised_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'active',
  resolved_at timestamptz,
  resolved_by uuid,
  planned_at timestamptz,
  CONSTRAINT raised_alerts_status_known CHECK (status IN ('active', 'resolved')),
  -- An erased person leaves no name behind.
  CONSTRAINT raised_alerts_resolution_complete CHECK (
    (status = 'resolved') = (resolved_at IS NOT NULL)
    AND (resolved_by IS NULL OR resolved_at IS NOT NULL)
  ),
  CONSTRAINT raised_alerts_times_in_order CHECK (resolved_at >= raised_at)
);

CREATE UNIQUE INDEX raised_alerts_one_active ON {{schema}}.raised_alerts (user_id)
WHERE status = 'active';

CREATE INDEX raised_alerts_by_user ON {{schema}}.raised_alerts (user_id, raised_at);

COMMENT ON TABLE {{schema}}.raised_alerts IS
  'Alerts that persons raise themselves, because they need help. raise_alert and resolve_alert write it. A sender '
  'notifies the responders at once.';
COMMENT ON COLUMN {{schema}}.raised_alerts.id IS
  'UUIDv5 of person and instant.';
COMMENT ON COLUMN {{schema}}.raised_alerts.user_id IS
  'The person who has raised it.';
COMMENT ON COLUMN {{schema}}.raised_alerts.raised_at IS
  'When.';
COMMENT ON COLUMN {{schema}}.raised_alerts.status IS
  'active or resolved. A person has one active alert at most.';
COMMENT ON COLUMN {{schema}}.raised_alerts.resolved_at IS
  'When the person, or a member, said that it is over.';
COMMENT ON COLUMN {{schema}}.raised_alerts.resolved_by IS
  'The person or member who said so. NULL also where that person was erased.';
COMMENT ON COLUMN {{schema}}.raised_alerts.planned_at IS
  'When a sender enqueued its notifications. NULL before.';

CREATE TABLE {{schema}}.pings (
  id uuid PRIMARY KEY,
  sender_user_id uuid NOT NULL,
  recipient_user_id uuid NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  responded_at timestamptz,
  planned_at timestamptz,
  CONSTRAINT pings_is_to_another CHECK (sender_user_id <> recipient_user_id),
  CONSTRAINT pings_status_known CHECK (status IN ('pending', 'responded', 'expired')),
  CONSTRAINT pings_response_complete CHECK ((status = 'responded') = (responded_at IS NOT NULL)),
  CONSTRAINT pings_times_in_order CHECK (expires_at > sent_at AND responded_at >= sent_at)
);

CREATE UNIQUE INDEX pings_one_pending ON {{schema}}.pings (sender_user_id, recipient_user_id)
WHERE status = 'pending';

CREATE INDEX pings_by_recipient ON {{schema}}.pings (recipient_user_id, sent_at);

COMMENT ON TABLE {{schema}}.pings IS
  'Questions of members to each other whether all is well. ping and respond write it, and a sender marks those without '
  'an answer as expired.';
COMMENT ON COLUMN {{schema}}.pings.id IS
  'UUIDv5 of sender, recipient and instant.';
COMMENT ON COLUMN {{schema}}.pings.sender_user_id IS
  'The member who asks.';
COMMENT ON COLUMN {{schema}}.pings.recipient_user_id IS
  'The person who is asked.';
COMMENT ON COLUMN {{schema}}.pings.sent_at IS
  'When the member asked.';
COMMENT ON COLUMN {{schema}}.pings.expires_at IS
  'Until when an answer counts: 24 hours after sent_at.';
COMMENT ON COLUMN {{schema}}.pings.status IS
  'pending, responded or expired. Between two members one is pending at most in each direction.';
COMMENT ON COLUMN {{schema}}.pings.responded_at IS
  'When the person answered. The answer is a check-in, too.';
COMMENT ON COLUMN {{schema}}.pings.planned_at IS
  'When a sender enqueued its notifications. NULL before.';

CREATE TABLE {{schema}}.check_in_reminders (
  user_id uuid PRIMARY KEY,
  interval_start timestamptz NOT NULL,
  planned_at timestamptz NOT NULL
);

COMMENT ON TABLE {{schema}}.check_in_reminders IS
  'The newest interval of a check-in plan of which the person was reminded, so that no sender reminds twice.';
COMMENT ON COLUMN {{schema}}.check_in_reminders.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.check_in_reminders.interval_start IS
  'When the interval began: the newest check-in, or the beginning of the plan.';
COMMENT ON COLUMN {{schema}}.check_in_reminders.planned_at IS
  'When a sender enqueued the reminder.';

CREATE TABLE {{schema}}.escalation_log (
  id uuid PRIMARY KEY,
  patient_id uuid NOT NULL,
  caregiver_id uuid,
  relation_id uuid,
  escalation_type text NOT NULL,
  related_blob_id uuid,
  triggered_at timestamptz NOT NULL DEFAULT now(),
  window_minutes integer,
  status text NOT NULL DEFAULT 'pending',
  acknowledged_at timestamptz,
  resolved_at timestamptz,
  resolution text,
  channels_used text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + INTERVAL '4 hours',
  level integer,
  step integer NOT NULL DEFAULT 0,
  emergency_contact_id uuid,
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
    resolution IN (
      'confirmed_ok', 'marked_taken', 'contacted_patient', 'called_emergency', 'false_alarm',
      'no_response'
    )
  ),
  CONSTRAINT escalation_log_window_not_negative CHECK (window_minutes >= 0),
  CONSTRAINT escalation_log_expires_after_trigger CHECK (expires_at >= triggered_at),
  CONSTRAINT escalation_log_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT escalation_log_step_not_negative CHECK (step >= 0),
  CONSTRAINT escalation_log_one_is_called CHECK (
    num_nonnulls(caregiver_id, emergency_contact_id) = 1
  )
);

CREATE INDEX escalation_log_open ON {{schema}}.escalation_log (expires_at)
WHERE status IN ('pending', 'notified');

-- A sender looks for calls whose window has ended without an answer, level by level.
CREATE INDEX escalation_log_unanswered ON {{schema}}.escalation_log (level, expires_at)
WHERE status IN ('pending', 'notified', 'expired') AND resolution IS NULL;

CREATE INDEX escalation_log_by_alert ON {{schema}}.escalation_log (related_blob_id);

COMMENT ON TABLE {{schema}}.escalation_log IS
  'Which members were called upon and whether they answered. The columns are those of the app; no '
  'health value is in it. The release of held notifications adds rows of step 0, and vigil dispatch '
  'those of later steps.';
COMMENT ON COLUMN {{schema}}.escalation_log.id IS
  'The call.';
COMMENT ON COLUMN {{schema}}.escalation_log.patient_id IS
  'The person whom the alert is about.';
COMMENT ON COLUMN {{schema}}.escalation_log.caregiver_id IS
  'The member who is called upon. NULL for an emergency contact.';
COMMENT ON COLUMN {{schema}}.escalation_log.relation_id IS
  'The app''s relation of the two. Vigil leaves it NULL.';
COMMENT ON COLUMN {{schema}}.escalation_log.escalation_type IS
  'Vigil writes missed_dose (an alert of adherence), refill_due (an alert of a refill), inactivity (an '
  'alert of silence), critical_value (an alert of values beyond a limit), panic_button (a raised alert) or '
  'pattern_anomaly (any other).';
COMMENT ON COLUMN {{schema}}.escalation_log.related_blob_id IS
  'The alert, raised alert or insight that was escalated.';
COMMENT ON COLUMN {{schema}}.escalation_log.triggered_at IS
  'When the member was called upon.';
COMMENT ON COLUMN {{schema}}.escalation_log.window_minutes IS
  'How long those who were called before had had for an answer by then, in minutes. 0 for step 0.';
COMMENT ON COLUMN {{schema}}.escalation_log.status IS
  'pending, notified, acknowledged, resolved or expired.';
COMMENT ON COLUMN {{schema}}.escalation_log.acknowledged_at IS
  'When the member answered.';
COMMENT ON COLUMN {{schema}}.escalation_log.resolved_at IS
  'When the call ended.';
COMMENT ON COLUMN {{schema}}.escalation_log.resolution IS
  'What the member found: confirmed_ok, marked_taken, contacted_patient, called_emergency or '
  'false_alarm; the app sets it. no_response: no answer came in the window; vigil dispatch sets it.';
COMMENT ON COLUMN {{schema}}.escalation_log.channels_used IS
  'Channels by which the member was notified.';
COMMENT ON COLUMN {{schema}}.escalation_log.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.escalation_log.expires_at IS
  'Until when an answer counts: 4 hours after the last of the channels is due.';
COMMENT ON COLUMN {{schema}}.escalation_log.level IS
  'The level of the alert: 3, 7, 14 or 21; 21 for a raised alert. NULL for a call of the app.';
COMMENT ON COLUMN {{schema}}.escalation_log.step IS
  '0 for those whom a night notifies, and for responders to a raised alert. Each call of vigil dispatch after them has the next number.';
COMMENT ON COLUMN {{schema}}.escalation_log.emergency_contact_id IS
  'The emergency contact who is called upon. NULL for a member.';

CREATE TABLE {{schema}}.sms_log (
  notification_id uuid NOT NULL,
  month date NOT NULL,
  recipient_user_id uuid NOT NULL,
  sms_type text NOT NULL,
  number_digest text,
  segments integer,
  cost_micros bigint,
  currency text,
  status text NOT NULL,
  delivery_status text NOT NULL DEFAULT 'queued',
  delivery_status_at timestamptz NOT NULL,
  provider_message_id text,
  fencing_token bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (notification_id, month),
  CONSTRAINT sms_log_sms_type_known CHECK (sms_type IN ({{sms_types}})),
  CONSTRAINT sms_log_number_digest_is_hex CHECK (number_digest ~ '^[0-9a-f]{64}$'),
  CONSTRAINT sms_log_segments_in_range CHECK (segments BETWEEN 1 AND 1000),
  CONSTRAINT sms_log_cost_complete CHECK (
    (cost_micros IS NULL) = (currency IS NULL) AND (cost_micros IS NULL OR cost_micros >= 0)
  ),
  CONSTRAINT sms_log_currency_is_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT sms_log_status_known CHECK (status IN ('attempting', 'sent', 'unknown', 'not_sent')),
  CONSTRAINT sms_log_delivery_status_known CHECK (delivery_status IN ({{delivery_statuses}})),
  CONSTRAINT sms_log_provider_message_id_is_id CHECK (
    provider_message_id ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$'
  ),
  CONSTRAINT sms_log_month_is_first_day CHECK (extract(day FROM month) = 1)
);

CREATE INDEX sms_log_by_recipient ON {{schema}}.sms_log (recipient_user_id, month);
CREATE INDEX sms_log_by_month ON {{schema}}.sms_log (month, recipient_user_id);
CREATE INDEX sms_log_by_provider ON {{schema}}.sms_log (provider_message_id)
WHERE provider_message_id IS NOT NULL;

COMMENT ON TABLE {{schema}}.sms_log IS
  'Text messages that senders have sent, or may have: what the quota of a recipient and month '
  'counts, and what a provider bills. It has neither telephone numbers nor texts.';
COMMENT ON COLUMN {{schema}}.sms_log.notification_id IS
  'The row of notification_queue. It may have been pruned.';
COMMENT ON COLUMN {{schema}}.sms_log.month IS
  'First day of the month in UTC in which the attempt began.';
COMMENT ON COLUMN {{schema}}.sms_log.recipient_user_id IS
  'The person who is notified.';
COMMENT ON COLUMN {{schema}}.sms_log.sms_type IS
  'alert, reminder (a check-in that is due soon, a ping), escalation (a call upon a caregiver) or emergency (a raised '
  'alert, a call upon an emergency contact).';
COMMENT ON COLUMN {{schema}}.sms_log.number_digest IS
  'HMAC-SHA256 of the telephone number, in lower-case hexadecimal digits: the same number has the same digest under one '
  'key. NULL where the sender has no key.';
COMMENT ON COLUMN {{schema}}.sms_log.segments IS
  'Parts in which the text was sent, as the provider has answered or as Vigil has counted. NULL where neither is known.';
COMMENT ON COLUMN {{schema}}.sms_log.cost_micros IS
  'Its cost in millionths of the currency, as the provider has answered or by the price of the sender''s settings.';
COMMENT ON COLUMN {{schema}}.sms_log.currency IS
  'The currency of the cost, such as EUR. NULL without a cost.';
COMMENT ON COLUMN {{schema}}.sms_log.status IS
  'attempting, sent, unknown (no answer came, or the sender was killed) or not_sent. All but '
  'not_sent count against the quota.';
COMMENT ON COLUMN {{schema}}.sms_log.delivery_status IS
  'queued, sent (the provider has accepted it), delivered, failed or undelivered, as its provider reports; it only goes '
  'forward. It changes nothing about the quota.';
COMMENT ON COLUMN {{schema}}.sms_log.delivery_status_at IS
  'When it came to be so.';
COMMENT ON COLUMN {{schema}}.sms_log.provider_message_id IS
  'The message, as the provider has named it in its answer. NULL where it has not.';
COMMENT ON COLUMN {{schema}}.sms_log.fencing_token IS
  'The taking of the notification that the status is of.';
COMMENT ON COLUMN {{schema}}.sms_log.created_at IS
  'When the first attempt of the month began.';
COMMENT ON COLUMN {{schema}}.sms_log.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.sms_quota (
  id integer PRIMARY KEY,
  per_month integer NOT NULL,
  warning_percent integer NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT sms_quota_one_row CHECK (id = 1),
  CONSTRAINT sms_quota_per_month_positive CHECK (per_month > 0),
  CONSTRAINT sms_quota_warning_percent_in_range CHECK (warning_percent BETWEEN 1 AND 100)
);

COMMENT ON TABLE {{schema}}.sms_quota IS
  'How many text messages a recipient may have in a month, as the sender that began last goes by. Empty without a limit.';
COMMENT ON COLUMN {{schema}}.sms_quota.id IS
  '1: there is one row.';
COMMENT ON COLUMN {{schema}}.sms_quota.per_month IS
  'Text messages to a recipient in a month of UTC: per_recipient_and_month of the sender''s settings.';
COMMENT ON COLUMN {{schema}}.sms_quota.warning_percent IS
  'The share of them, in percent, at which a recipient is notified: quota_warning_percent of the settings.';
COMMENT ON COLUMN {{schema}}.sms_quota.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.sms_quota_warnings (
  user_id uuid PRIMARY KEY,
  month date NOT NULL,
  planned_at timestamptz NOT NULL,
  CONSTRAINT sms_quota_warnings_month_is_first_day CHECK (extract(day FROM month) = 1)
);

COMMENT ON TABLE {{schema}}.sms_quota_warnings IS
  'The newest month in which a person was notified that most of their text messages are used, so that no sender does so '
  'twice.';
COMMENT ON COLUMN {{schema}}.sms_quota_warnings.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.sms_quota_warnings.month IS
  'First day of the month in UTC.';
COMMENT ON COLUMN {{schema}}.sms_quota_warnings.planned_at IS
  'When a sender enqueued the notification.';

CREATE UNLOGGED TABLE {{schema}}.sms_lock ();

COMMENT ON TABLE {{schema}}.sms_lock IS
  'PostgreSQL only. Always empty. Senders that add to sms_log hold it, one after the other, so that two of them do not '
  'count the same place of a quota as free.';

CREATE TABLE {{schema}}.channel_rests (
  channel text PRIMARY KEY,
  rests integer NOT NULL,
  failures integer NOT NULL,
  last_error text NOT NULL,
  rests_until timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT channel_rests_channel_known CHECK (channel IN ({{sent_channels}})),
  CONSTRAINT channel_rests_counts_positive CHECK (rests > 0 AND failures > 0),
  CONSTRAINT channel_rests_last_error_is_code CHECK (last_error ~ '^[a-z0-9_]{1,64}$')
);

COMMENT ON TABLE {{schema}}.channel_rests IS
  'Channels whose attempts have failed one after the other. Their notifications wait, but for one attempt '
  'after each rest. The row goes when an attempt succeeds.';
COMMENT ON COLUMN {{schema}}.channel_rests.channel IS
  'The channel.';
COMMENT ON COLUMN {{schema}}.channel_rests.rests IS
  'The number of rests in a row. Each is longer than the one before.';
COMMENT ON COLUMN {{schema}}.channel_rests.failures IS
  'How many attempts have failed in a row.';
COMMENT ON COLUMN {{schema}}.channel_rests.last_error IS
  'Why the last of them failed, as a code such as http_404.';
COMMENT ON COLUMN {{schema}}.channel_rests.rests_until IS
  'When a sender makes the next attempt.';
COMMENT ON COLUMN {{schema}}.channel_rests.updated_at IS
  'When the row was last changed.';

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_class
    WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
  ) THEN
    ALTER TABLE {{schema}}.escalation_settings
      ADD CONSTRAINT escalation_settings_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.raised_alerts
      ADD CONSTRAINT raised_alerts_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT,
      ADD CONSTRAINT raised_alerts_resolver
        FOREIGN KEY (resolved_by) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.pings
      ADD CONSTRAINT pings_sender
        FOREIGN KEY (sender_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT,
      ADD CONSTRAINT pings_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.check_in_reminders
      ADD CONSTRAINT check_in_reminders_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.escalation_log
      ADD CONSTRAINT escalation_log_patient
        FOREIGN KEY (patient_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT,
      ADD CONSTRAINT escalation_log_caregiver
        FOREIGN KEY (caregiver_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.contact_points
      ADD CONSTRAINT contact_points_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.push_tokens
      ADD CONSTRAINT push_tokens_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.sms_log
      ADD CONSTRAINT sms_log_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.sms_quota_warnings
      ADD CONSTRAINT sms_quota_warnings_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.caregiver_priority
      ADD CONSTRAINT caregiver_priority_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE,
      ADD CONSTRAINT caregiver_priority_caregiver
        FOREIGN KEY (caregiver_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.caregiver_availability
      ADD CONSTRAINT caregiver_availability_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.emergency_contacts
      ADD CONSTRAINT emergency_contacts_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
  END IF;
END
$$;

-- MARK: Rights

-- Addresses are for the sender alone.
ALTER TABLE {{schema}}.contact_points ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.contact_points TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.contact_points FOR SELECT TO vigil_sender USING (TRUE);
GRANT SELECT ON {{schema}}.contact_points TO vigil_sender;
ALTER TABLE {{schema}}.push_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.push_tokens TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.push_tokens FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_sender_update ON {{schema}}.push_tokens
FOR UPDATE TO vigil_sender USING (TRUE);
GRANT SELECT, UPDATE (revoked_at, last_used_at, failures, last_failed_at)
ON {{schema}}.push_tokens TO vigil_sender;
ALTER TABLE {{schema}}.emergency_contacts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.emergency_contacts TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.emergency_contacts FOR SELECT TO vigil_sender USING (TRUE);
GRANT SELECT ON {{schema}}.emergency_contacts TO vigil_sender;

-- Whom a sender calls upon next. A person sees their own order, and a caregiver their own hours.
ALTER TABLE {{schema}}.caregiver_priority ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.caregiver_priority TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.caregiver_priority FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.caregiver_priority FOR SELECT TO vigil_reader
USING (user_id = (SELECT {{schema}}.vigil_viewer_id()));
GRANT SELECT ON {{schema}}.caregiver_priority TO vigil_sender, vigil_reader;
ALTER TABLE {{schema}}.caregiver_availability ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.caregiver_availability TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.caregiver_availability
FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.caregiver_availability FOR SELECT TO vigil_reader
USING (user_id = (SELECT {{schema}}.vigil_viewer_id()));
GRANT SELECT ON {{schema}}.caregiver_availability TO vigil_sender, vigil_reader;

-- Whether others are called about a person is that person's own choice: the functions for members write it, for the viewer
-- alone, and no other member sees it.
ALTER TABLE {{schema}}.escalation_settings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.escalation_settings TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.escalation_settings FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.escalation_settings FOR SELECT TO vigil_reader
USING (user_id = (SELECT {{schema}}.vigil_viewer_id()));
GRANT SELECT ON {{schema}}.escalation_settings TO vigil_sender, vigil_reader;

-- A family sees who needs help, and who said that it is over; the functions for members write it. A sender notes that it
-- has planned the notifications.
ALTER TABLE {{schema}}.raised_alerts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.raised_alerts TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.raised_alerts FOR SELECT TO vigil_reader
USING (user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users())));
CREATE POLICY vigil_sender ON {{schema}}.raised_alerts FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_sender_update ON {{schema}}.raised_alerts FOR UPDATE TO vigil_sender USING (TRUE);
GRANT SELECT ON {{schema}}.raised_alerts TO vigil_reader;
-- Pruning removes the calls about alerts that are over.
CREATE POLICY vigil_engine ON {{schema}}.raised_alerts FOR SELECT TO vigil_engine USING (TRUE);
GRANT SELECT (id, status) ON {{schema}}.raised_alerts TO vigil_engine;
GRANT SELECT (id, user_id, raised_at, status, planned_at), UPDATE (planned_at)
ON {{schema}}.raised_alerts TO vigil_sender;

-- A member sees the pings from and to them, as long as they may see the other. A sender notes that it has planned the
-- notifications, and that no answer came.
ALTER TABLE {{schema}}.pings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.pings TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.pings FOR SELECT TO vigil_reader USING (
  (SELECT {{schema}}.vigil_viewer_id()) IN (sender_user_id, recipient_user_id)
  AND ARRAY[sender_user_id, recipient_user_id] <@ ARRAY(
    SELECT user_id FROM {{schema}}.vigil_visible_members()
  )
);
CREATE POLICY vigil_sender ON {{schema}}.pings FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_sender_update ON {{schema}}.pings FOR UPDATE TO vigil_sender USING (TRUE);
GRANT SELECT ON {{schema}}.pings TO vigil_reader;
GRANT SELECT, UPDATE (planned_at, status) ON {{schema}}.pings TO vigil_sender;

-- Only senders use it.
ALTER TABLE {{schema}}.check_in_reminders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.check_in_reminders TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.check_in_reminders TO vigil_sender USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON {{schema}}.check_in_reminders TO vigil_sender;

-- The person and the member who was called upon see the call.
ALTER TABLE {{schema}}.escalation_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.escalation_log TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.escalation_log TO vigil_engine USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.escalation_log FOR SELECT TO vigil_reader
USING (
  patient_id = (SELECT {{schema}}.vigil_viewer_id())
  OR (
    caregiver_id = (SELECT {{schema}}.vigil_viewer_id())
    AND patient_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
  )
);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.escalation_log TO vigil_engine;
GRANT SELECT ON {{schema}}.escalation_log TO vigil_reader;
-- A sender adds calls after those of a night, and those upon responders to a raised alert, and closes calls that were not answered or need no answer.
CREATE POLICY vigil_sender ON {{schema}}.escalation_log FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_sender_insert ON {{schema}}.escalation_log
FOR INSERT TO vigil_sender WITH CHECK (
  step > 0 OR EXISTS (
    SELECT FROM {{schema}}.raised_alerts AS alert
    WHERE alert.id = related_blob_id AND alert.user_id = patient_id
  )
);
CREATE POLICY vigil_sender_update ON {{schema}}.escalation_log
FOR UPDATE TO vigil_sender USING (TRUE);
GRANT SELECT, INSERT, UPDATE (status, acknowledged_at, resolved_at, resolution)
ON {{schema}}.escalation_log TO vigil_sender;

-- A sender removes nothing from the log; pruning does.
ALTER TABLE {{schema}}.sms_lock ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.sms_lock TO CURRENT_USER USING (TRUE);
GRANT DELETE ON {{schema}}.sms_lock TO vigil_sender;
ALTER TABLE {{schema}}.sms_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.sms_log TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.sms_log TO vigil_sender USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.sms_log TO vigil_engine USING (TRUE);
GRANT SELECT, INSERT, UPDATE (
  status, number_digest, segments, cost_micros, currency, delivery_status, delivery_status_at,
  provider_message_id, fencing_token, updated_at
) ON {{schema}}.sms_log TO vigil_sender;
GRANT SELECT, DELETE ON {{schema}}.sms_log TO vigil_engine;

-- A sender says by which quota it goes, and whom it has notified of theirs. A member sees their own by own_sms_quota, and
-- an operator with the library.
ALTER TABLE {{schema}}.sms_quota ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.sms_quota TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.sms_quota TO vigil_sender USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.sms_quota FOR SELECT TO vigil_engine USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.sms_quota TO vigil_sender;
GRANT SELECT ON {{schema}}.sms_quota TO vigil_engine;
ALTER TABLE {{schema}}.sms_quota_warnings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.sms_quota_warnings TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.sms_quota_warnings TO vigil_sender USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON {{schema}}.sms_quota_warnings TO vigil_sender;

-- Senders share what they know of a channel. An operator whose login is the engine's ends a rest, too.
ALTER TABLE {{schema}}.channel_rests ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.channel_rests TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.channel_rests TO vigil_sender USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.channel_rests TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.channel_rests
FOR SELECT TO vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.channel_rests TO vigil_sender;
GRANT SELECT, DELETE ON {{schema}}.channel_rests TO vigil_engine;
GRANT SELECT ON {{schema}}.channel_rests TO vigil_backfill;
