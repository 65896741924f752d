-- Notifications to send, those that shadow runs plan and live runs hold, addresses, and calls upon caregivers.

-- MARK: Tables

CREATE TABLE {{schema}}.notification_queue (
  id uuid PRIMARY KEY,
  recipient_user_id uuid NOT NULL,
  member_user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  notification_type text NOT NULL,
  template_id text NOT NULL,
  level integer NOT NULL,
  channel text NOT NULL,
  payload jsonb NOT NULL,
  priority text NOT NULL,
  scheduled_for timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  status_reason text,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 3,
  last_attempt_at timestamptz,
  last_error text,
  sent_at timestamptz,
  dedupe_key text NOT NULL,
  group_night date,
  group_id uuid,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  fencing_token bigint NOT NULL DEFAULT 0,
  emergency_contact_id uuid,
  CONSTRAINT notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES {{schema}}.pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT notification_queue_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT notification_queue_channel_known CHECK (channel IN ({{channels}})),
  CONSTRAINT notification_queue_priority_known CHECK (priority IN ({{priorities}})),
  CONSTRAINT notification_queue_status_known CHECK (status IN ({{notification_statuses}})),
  CONSTRAINT notification_queue_status_reason_known CHECK (
    status_reason IN ({{status_reasons}})
  ),
  CONSTRAINT notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1),
  CONSTRAINT notification_queue_last_error_is_code CHECK (last_error ~ '^[a-z0-9_]{1,64}$'),
  CONSTRAINT notification_queue_lease_complete CHECK (
    (lease_owner IS NULL) = (lease_until IS NULL)
    AND (lease_owner IS NULL OR status = 'processing')
  ),
  CONSTRAINT notification_queue_fencing_token_not_negative CHECK (fencing_token >= 0),
  CONSTRAINT notification_queue_contact_complete CHECK (
    (notification_type = 'emergency_contact') = (emergency_contact_id IS NOT NULL)
  )
);

CREATE INDEX notification_queue_pending
ON {{schema}}.notification_queue (scheduled_for, priority)
WHERE status = 'pending';

-- A sender takes the rows of one channel and priority in the order in which they are due.
CREATE INDEX notification_queue_due ON {{schema}}.notification_queue (
  channel, priority, coalesce(next_attempt_at, scheduled_for), id
)
WHERE status = 'pending';

CREATE INDEX notification_queue_leased ON {{schema}}.notification_queue (recipient_user_id, lease_until)
WHERE status = 'processing';

CREATE INDEX notification_queue_sent ON {{schema}}.notification_queue (recipient_user_id, sent_at)
WHERE status = 'sent';

CREATE INDEX notification_queue_failed ON {{schema}}.notification_queue (updated_at)
WHERE status = 'failed';

CREATE INDEX notification_queue_by_group ON {{schema}}.notification_queue (group_id)
WHERE group_id IS NOT NULL;

COMMENT ON TABLE {{schema}}.notification_queue IS
  'Notifications to send. Live runs enqueue them, and vigil dispatch or a sender of the app sends '
  'them.';
COMMENT ON COLUMN {{schema}}.notification_queue.id IS
  'UUIDv5 of the dedupe key: the same notification has the same id in every database.';
COMMENT ON COLUMN {{schema}}.notification_queue.recipient_user_id IS
  'The person who is notified.';
COMMENT ON COLUMN {{schema}}.notification_queue.member_user_id IS
  'The person whom the alert is about.';
COMMENT ON COLUMN {{schema}}.notification_queue.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.notification_queue.notification_type IS
  'Kind of notification for the app, such as pattern_alert.';
COMMENT ON COLUMN {{schema}}.notification_queue.template_id IS
  'Template of the text for the app.';
COMMENT ON COLUMN {{schema}}.notification_queue.level IS
  'Level of the alert: 3, 7, 14 or 21 days. NULL for a subject without one.';
COMMENT ON COLUMN {{schema}}.notification_queue.channel IS
  'The channel, such as push or in_app.';
COMMENT ON COLUMN {{schema}}.notification_queue.payload IS
  'What a template needs, as a JSON object. It holds no name, no measured value and no free text.';
COMMENT ON COLUMN {{schema}}.notification_queue.priority IS
  'low, normal, high or critical.';
COMMENT ON COLUMN {{schema}}.notification_queue.scheduled_for IS
  'When to send: at once, or at the end of the recipient''s quiet hours.';
COMMENT ON COLUMN {{schema}}.notification_queue.expires_at IS
  'When it is too late to send: 24 hours after scheduled_for.';
COMMENT ON COLUMN {{schema}}.notification_queue.status IS
  'pending, processing, sent, failed, cancelled or skipped. The sender changes it.';
COMMENT ON COLUMN {{schema}}.notification_queue.status_reason IS
  'Why the notification waits or is withheld: quiet_hours, snoozed, dismissed, covered (an alert about all '
  'doses of the person is active), excluded, '
  'preference_off, superseded, resolved, expired, grouped (a group notification includes it), '
  'not_recipient (the recipient has left the family), rate_limited, monthly_quota (of text '
  'messages) or operator (cancelled by hand). NULL for none of these.';
COMMENT ON COLUMN {{schema}}.notification_queue.attempts IS
  'How many attempts were begun. Taking the row counts as one until the outcome says that there was none.';
COMMENT ON COLUMN {{schema}}.notification_queue.max_attempts IS
  'How often the sender may try.';
COMMENT ON COLUMN {{schema}}.notification_queue.last_attempt_at IS
  'When the sender last tried.';
COMMENT ON COLUMN {{schema}}.notification_queue.last_error IS
  'Why the last attempt failed, as a code such as http_503, timeout or no_address; outcome_unknown '
  'where the sender of the last one was killed before it recorded an outcome.';
COMMENT ON COLUMN {{schema}}.notification_queue.sent_at IS
  'When the notification was sent.';
COMMENT ON COLUMN {{schema}}.notification_queue.dedupe_key IS
  'Alert, recipient, channel and level. Unique, so that none is enqueued twice.';
COMMENT ON COLUMN {{schema}}.notification_queue.group_night IS
  'The night whose group notification may include the row. NULL where it is sent by itself.';
COMMENT ON COLUMN {{schema}}.notification_queue.group_id IS
  'The row of the group notification that includes this one.';
COMMENT ON COLUMN {{schema}}.notification_queue.run_id IS
  'The run that enqueued the row.';
COMMENT ON COLUMN {{schema}}.notification_queue.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.notification_queue.updated_at IS
  'When the row was last changed.';
COMMENT ON COLUMN {{schema}}.notification_queue.next_attempt_at IS
  'When the sender may try again, or for the first time where that is not scheduled_for. NULL '
  'means scheduled_for.';
COMMENT ON COLUMN {{schema}}.notification_queue.lease_owner IS
  'The sender that is at it, such as host:4711:email. NULL for none.';
COMMENT ON COLUMN {{schema}}.notification_queue.lease_until IS
  'Until when the row is that sender''s alone. After it, another may take the row.';
COMMENT ON COLUMN {{schema}}.notification_queue.fencing_token IS
  'How often the row was taken. A result counts only with the number of its own time.';
COMMENT ON COLUMN {{schema}}.notification_queue.emergency_contact_id IS
  'The emergency contact of the recipient, to whom the notification goes in their place. NULL for a '
  'notification to the recipient.';

CREATE TABLE {{schema}}.shadow_notification_queue (
  id uuid PRIMARY KEY,
  recipient_user_id uuid NOT NULL,
  member_user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  notification_type text NOT NULL,
  template_id text NOT NULL,
  level integer NOT NULL,
  channel text NOT NULL,
  payload jsonb NOT NULL,
  priority text NOT NULL,
  scheduled_for timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  status_reason text,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 3,
  last_attempt_at timestamptz,
  last_error text,
  sent_at timestamptz,
  dedupe_key text NOT NULL,
  group_night date,
  group_id uuid,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT shadow_notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT shadow_notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES {{schema}}.pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT shadow_notification_queue_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT shadow_notification_queue_channel_known CHECK (channel IN ({{channels}})),
  CONSTRAINT shadow_notification_queue_priority_known CHECK (priority IN ({{priorities}})),
  CONSTRAINT shadow_notification_queue_status_known CHECK (status IN ({{notification_statuses}})),
  CONSTRAINT shadow_notification_queue_status_reason_known CHECK (
    status_reason IN (
      'quiet_hours', 'snoozed', 'dismissed', 'covered', 'excluded', 'preference_off', 'superseded',
      'resolved', 'expired', 'grouped'
    )
  ),
  CONSTRAINT shadow_notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT shadow_notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1)
);

CREATE INDEX shadow_notification_queue_pending
ON {{schema}}.shadow_notification_queue (scheduled_for, priority)
WHERE status = 'pending';

CREATE INDEX shadow_notification_queue_ungrouped
ON {{schema}}.shadow_notification_queue (run_id)
WHERE group_night IS NOT NULL AND group_id IS NULL;

COMMENT ON TABLE {{schema}}.shadow_notification_queue IS
  'What a live run would have sent. Shadow runs write it, and nothing is sent from it.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.id IS
  'UUIDv5 of the dedupe key: the same notification has the same id in every database.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.recipient_user_id IS
  'The person who is notified.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.member_user_id IS
  'The person whom the alert is about.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.notification_type IS
  'Kind of notification for the app, such as pattern_alert.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.template_id IS
  'Template of the text for the app.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.level IS
  'Level of the alert: 3, 7, 14 or 21 days.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.channel IS
  'The channel, such as push or in_app.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.payload IS
  'What a template needs, as a JSON object. It holds no name, no measured value and no free text.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.priority IS
  'low, normal, high or critical.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.scheduled_for IS
  'When to send: at once, or at the end of the recipient''s quiet hours.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.expires_at IS
  'When it is too late to send: 24 hours after scheduled_for.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.status IS
  'pending, processing, sent, failed, cancelled or skipped. As a live run would have left it.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.status_reason IS
  'Why the notification waits or is withheld: quiet_hours, snoozed, dismissed, excluded, '
  'preference_off, superseded, resolved, expired or grouped (a group notification includes it). '
  'NULL for none of these.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.attempts IS
  'How often the sender has tried. Always 0.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.max_attempts IS
  'How often the sender may try.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.last_attempt_at IS
  'When the sender last tried.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.last_error IS
  'Why the last attempt failed.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.sent_at IS
  'When the notification was sent.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.dedupe_key IS
  'Alert, recipient, channel and level. Unique, so that none is enqueued twice.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.group_night IS
  'The night whose group notification may include the row. NULL where it is sent by itself.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.group_id IS
  'The row of the group notification that includes this one.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.run_id IS
  'The run that planned the row.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.shadow_notification_queue.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.held_notifications (
  id uuid NOT NULL,
  recipient_user_id uuid NOT NULL,
  member_user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  notification_type text NOT NULL,
  template_id text NOT NULL,
  level integer NOT NULL,
  channel text NOT NULL,
  payload jsonb NOT NULL,
  priority text NOT NULL,
  scheduled_for timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status_reason text,
  max_attempts integer NOT NULL,
  dedupe_key text NOT NULL,
  group_night date,
  group_id uuid,
  escalation_id uuid,
  run_id uuid NOT NULL,
  shard integer NOT NULL,
  outcome text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, dedupe_key),
  CONSTRAINT held_notifications_run FOREIGN KEY (run_id) REFERENCES {{schema}}.batch_runs (id) ON DELETE RESTRICT,
  CONSTRAINT held_notifications_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES {{schema}}.pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT held_notifications_channel_known CHECK (channel IN ({{channels}})),
  CONSTRAINT held_notifications_priority_known CHECK (priority IN ({{priorities}})),
  CONSTRAINT held_notifications_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT held_notifications_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT held_notifications_outcome_known CHECK (
    outcome IN (
      'released', 'discarded', 'superseded', 'resolved', 'covered', 'dismissed', 'snoozed',
      'excluded', 'preference_off', 'repeated'
    )
  ),
  CONSTRAINT held_notifications_outcome_has_time CHECK ((outcome IS NULL) = (decided_at IS NULL))
);

CREATE INDEX held_notifications_undecided ON {{schema}}.held_notifications (alert_state_id)
WHERE outcome IS NULL;

COMMENT ON TABLE {{schema}}.held_notifications IS
  'Notifications that a live run holds until all of them are known to be within the rate limit, '
  'or an operator decides.';
COMMENT ON COLUMN {{schema}}.held_notifications.id IS
  'Id that the row has in notification_queue once it is released.';
COMMENT ON COLUMN {{schema}}.held_notifications.recipient_user_id IS
  'The person who is to be notified.';
COMMENT ON COLUMN {{schema}}.held_notifications.member_user_id IS
  'The person whom the alert is about.';
COMMENT ON COLUMN {{schema}}.held_notifications.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.held_notifications.notification_type IS
  'Kind of notification for the app, such as pattern_alert.';
COMMENT ON COLUMN {{schema}}.held_notifications.template_id IS
  'Template of the text for the app.';
COMMENT ON COLUMN {{schema}}.held_notifications.level IS
  'Level of the alert: 3, 7, 14 or 21 days.';
COMMENT ON COLUMN {{schema}}.held_notifications.channel IS
  'The channel, such as push or in_app.';
COMMENT ON COLUMN {{schema}}.held_notifications.payload IS
  'What a template needs, as a JSON object. It holds no name, no measured value and no free text.';
COMMENT ON COLUMN {{schema}}.held_notifications.priority IS
  'low, normal, high or critical.';
COMMENT ON COLUMN {{schema}}.held_notifications.scheduled_for IS
  'When to send: at once, or at the end of the recipient''s quiet hours.';
COMMENT ON COLUMN {{schema}}.held_notifications.expires_at IS
  'When it is too late to send: 24 hours after scheduled_for.';
COMMENT ON COLUMN {{schema}}.held_notifications.status_reason IS
  'Why the notification waits or is withheld, as in notification_queue.';
COMMENT ON COLUMN {{schema}}.held_notifications.max_attempts IS
  'How often the sender may try.';
COMMENT ON COLUMN {{schema}}.held_notifications.dedupe_key IS
  'Alert, recipient, channel and level.';
COMMENT ON COLUMN {{schema}}.held_notifications.group_night IS
  'The night whose group notification may include the row. NULL where it is sent by itself.';
COMMENT ON COLUMN {{schema}}.held_notifications.group_id IS
  'The row of the group notification that includes this one.';
COMMENT ON COLUMN {{schema}}.held_notifications.escalation_id IS
  'The row of escalation_log that its release adds. NULL where only the person is notified.';
COMMENT ON COLUMN {{schema}}.held_notifications.run_id IS
  'The live run.';
COMMENT ON COLUMN {{schema}}.held_notifications.shard IS
  'Number of the part of the persons, from 1.';
COMMENT ON COLUMN {{schema}}.held_notifications.outcome IS
  'What was decided: released (enqueued), discarded (by an operator), superseded, resolved, '
  'covered, dismissed, snoozed, excluded, preference_off or repeated (enqueued before). NULL while it is '
  'held.';
COMMENT ON COLUMN {{schema}}.held_notifications.decided_at IS
  'When it was decided. NULL while it is held.';
COMMENT ON COLUMN {{schema}}.held_notifications.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.held_notifications.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.spent_notifications (
  id uuid PRIMARY KEY,
  pruned_at timestamptz NOT NULL
);

COMMENT ON TABLE {{schema}}.spent_notifications IS
  'Ids of notifications that were removed from the queue (vigil queue prune), so that none is '
  'enqueued again.';
COMMENT ON COLUMN {{schema}}.spent_notifications.id IS
  'Id of the removed notification.';
COMMENT ON COLUMN {{schema}}.spent_notifications.pruned_at IS
  'When it was removed.';

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
  'alert of silence) or pattern_anomaly (any other). The app may write critical_value or panic_button, too.';
COMMENT ON COLUMN {{schema}}.escalation_log.related_blob_id IS
  'The alert or insight that was escalated.';
COMMENT ON COLUMN {{schema}}.escalation_log.triggered_at IS
  'When the member was called upon.';
COMMENT ON COLUMN {{schema}}.escalation_log.window_minutes IS
  'How long the deviation had lasted by then, in minutes.';
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
  'The level of the alert: 3, 7, 14 or 21. NULL for a call of the app.';
COMMENT ON COLUMN {{schema}}.escalation_log.step IS
  '0 for those whom a night notifies. Each call of vigil dispatch after them has the next number.';
COMMENT ON COLUMN {{schema}}.escalation_log.emergency_contact_id IS
  'The emergency contact who is called upon. NULL for a member.';

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
    channel <> 'sms' OR address ~ '^\+[1-9][0-9]{6,14}$'
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
    channel <> 'sms' OR address ~ '^\+[1-9][0-9]{6,14}$'
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
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  PRIMARY KEY (platform, token),
  CONSTRAINT push_tokens_platform_known CHECK (platform IN ('apns', 'fcm')),
  CONSTRAINT push_tokens_token_is_line CHECK (
    token <> '' AND length(token) <= 4096 AND token !~ '[[:cntrl:]]'
  ),
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
COMMENT ON COLUMN {{schema}}.push_tokens.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.push_tokens.revoked_at IS
  'When the device stopped to receive messages, as the app or its service said. NULL while it does.';

CREATE TABLE {{schema}}.sms_log (
  notification_id uuid NOT NULL,
  month date NOT NULL,
  recipient_user_id uuid NOT NULL,
  status text NOT NULL,
  fencing_token bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (notification_id, month),
  CONSTRAINT sms_log_status_known CHECK (status IN ('attempting', 'sent', 'unknown', 'not_sent')),
  CONSTRAINT sms_log_month_is_first_day CHECK (extract(day FROM month) = 1)
);

CREATE INDEX sms_log_by_recipient ON {{schema}}.sms_log (recipient_user_id, month);

COMMENT ON TABLE {{schema}}.sms_log IS
  'Text messages that senders have sent, or may have: what the quota of a recipient and month '
  'counts. It has neither telephone numbers nor texts.';
COMMENT ON COLUMN {{schema}}.sms_log.notification_id IS
  'The row of notification_queue. It may have been pruned.';
COMMENT ON COLUMN {{schema}}.sms_log.month IS
  'First day of the month in UTC in which the attempt began.';
COMMENT ON COLUMN {{schema}}.sms_log.recipient_user_id IS
  'The person who is notified.';
COMMENT ON COLUMN {{schema}}.sms_log.status IS
  'attempting, sent, unknown (no answer came, or the sender was killed) or not_sent. All but '
  'not_sent count against the quota.';
COMMENT ON COLUMN {{schema}}.sms_log.fencing_token IS
  'The taking of the notification that the status is of.';
COMMENT ON COLUMN {{schema}}.sms_log.created_at IS
  'When the first attempt of the month began.';
COMMENT ON COLUMN {{schema}}.sms_log.updated_at IS
  'When the row was last changed.';

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

CREATE UNLOGGED TABLE {{schema}}.sms_lock ();

COMMENT ON TABLE {{schema}}.sms_lock IS
  'PostgreSQL only. Always empty. Senders that add to sms_log hold it, one after the other, so that two of them do not '
  'count the same place of a quota as free.';

-- Wakes the senders. They ask the queue themselves, so that a message holds no more than the schema.
CREATE FUNCTION {{schema}}.vigil_wake_senders() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('vigil_queue', TG_TABLE_SCHEMA);
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_wake_senders() FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_wake_senders() IS
  'Notifies the channel vigil_queue, with the schema, when a transaction that added rows to '
  'notification_queue commits.';

CREATE TRIGGER notification_queue_wakes_senders AFTER INSERT ON {{schema}}.notification_queue
FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_wake_senders();

CREATE TABLE {{schema}}.provisional_alerts (
  alert_state_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  evaluated_on date NOT NULL,
  revision integer NOT NULL,
  confirmed text,
  notified_level integer,
  shadow_notified_level integer,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT provisional_alerts_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES {{schema}}.pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_alerts_revision_positive CHECK (revision > 0),
  CONSTRAINT provisional_alerts_confirmed_is_json CHECK (json_typeof(confirmed::json) = 'array'),
  CONSTRAINT provisional_alerts_levels_known CHECK (
    notified_level IN (3, 7, 14, 21) AND shadow_notified_level IN (3, 7, 14, 21)
  )
);

CREATE INDEX provisional_alerts_by_user ON {{schema}}.provisional_alerts (user_id);

COMMENT ON TABLE {{schema}}.provisional_alerts IS
  'Alerts that an evaluation of one person (vigil run --user) has added or changed, and that no night has '
  'confirmed yet. The next night of the person removes the row: it confirms the alert, or retracts it.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.evaluated_on IS
  'The evaluated day.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.revision IS
  'How many evaluations have changed the alert since the night.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.confirmed IS
  'The alert as the last night left it: a JSON array of the columns of pattern_alert_state as text. NULL where '
  'an evaluation has added the alert.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.notified_level IS
  'The level that evaluations have notified of. NULL for none.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.shadow_notified_level IS
  'The same level for evaluations in shadow mode.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.run_id IS
  'The row of batch_runs that counts the last of these evaluations.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.created_at IS
  'When the alert became provisional.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.provisional_notifications (
  id uuid PRIMARY KEY,
  alert_state_id uuid NOT NULL,
  user_id uuid NOT NULL,
  level integer NOT NULL,
  CONSTRAINT provisional_notifications_level_known CHECK (level IN (3, 7, 14, 21))
);

CREATE INDEX provisional_notifications_by_alert
ON {{schema}}.provisional_notifications (alert_state_id);

COMMENT ON TABLE {{schema}}.provisional_notifications IS
  'Notifications that an evaluation of one person has enqueued, or planned in shadow mode, and that no night '
  'has confirmed yet. A night that does not confirm one withdraws it, unless it was sent.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.id IS
  'Id of the row of notification_queue or shadow_notification_queue.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.user_id IS
  'The person whom the alert is about.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.level IS
  'Level of the alert: 3, 7, 14 or 21 days.';

CREATE TABLE {{schema}}.outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT outbox_kind_known CHECK (
    kind IN ('opened', 'escalated', 'ended', 'provisional', 'confirmed', 'retracted')
  )
);

CREATE INDEX outbox_by_time ON {{schema}}.outbox (created_at);

COMMENT ON TABLE {{schema}}.outbox IS
  'Events about alerts, in ids only, for an app that prepares its texts. Nights add them, and evaluations of one person. '
  'vigil queue prune removes them.';
COMMENT ON COLUMN {{schema}}.outbox.id IS
  'Number of the event. An event with a smaller number may become visible a little later.';
COMMENT ON COLUMN {{schema}}.outbox.kind IS
  'By a night opened, escalated (to a higher level) or ended. Of an alert that an evaluation of one person found: '
  'provisional (it added or changed the alert), confirmed (a night found it, too) or retracted (a night or a later '
  'evaluation did not find it).';
COMMENT ON COLUMN {{schema}}.outbox.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.outbox.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.outbox.run_id IS
  'The row of batch_runs of the night, or of the evaluations of one person.';
COMMENT ON COLUMN {{schema}}.outbox.created_at IS
  'When the row was added.';

-- Each login of the database can listen. So a message holds no id: row-level security keeps the rows.
CREATE FUNCTION {{schema}}.vigil_announce_events() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN
    PERFORM pg_notify('vigil_outbox', TG_TABLE_SCHEMA);
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_announce_events() FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_announce_events() IS
  'Notifies the channel vigil_outbox, with the schema, when a transaction that added rows to outbox commits.';

CREATE TRIGGER outbox_announces AFTER INSERT ON {{schema}}.outbox
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_announce_events();

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_class
    WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
  ) THEN
    ALTER TABLE {{schema}}.notification_queue
      ADD CONSTRAINT notification_queue_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT,
      ADD CONSTRAINT notification_queue_member
        FOREIGN KEY (member_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.shadow_notification_queue
      ADD CONSTRAINT shadow_notification_queue_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT,
      ADD CONSTRAINT shadow_notification_queue_member
        FOREIGN KEY (member_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.held_notifications
      ADD CONSTRAINT held_notifications_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT,
      ADD CONSTRAINT held_notifications_member
        FOREIGN KEY (member_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.escalation_log
      ADD CONSTRAINT escalation_log_patient
        FOREIGN KEY (patient_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT,
      ADD CONSTRAINT escalation_log_caregiver
        FOREIGN KEY (caregiver_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.provisional_alerts
      ADD CONSTRAINT provisional_alerts_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.provisional_notifications
      ADD CONSTRAINT provisional_notifications_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.outbox
      ADD CONSTRAINT outbox_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.contact_points
      ADD CONSTRAINT contact_points_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.push_tokens
      ADD CONSTRAINT push_tokens_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
    ALTER TABLE {{schema}}.sms_log
      ADD CONSTRAINT sms_log_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
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

-- A backfill cannot notify, whatever it tries. A reader sees what is addressed to them, as long as they may see the
-- persons whom it is about, except what was withheld because they are excluded: they must not learn of it.
ALTER TABLE {{schema}}.notification_queue ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.notification_queue TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.notification_queue TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.notification_queue
FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.notification_queue FOR SELECT TO vigil_reader USING (
  recipient_user_id = (SELECT {{schema}}.vigil_viewer_id())
  AND status_reason IS DISTINCT FROM 'excluded'
  AND member_user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
  -- A group is about several persons.
  AND jsonb_path_query_array(payload, '$.alerts[*].member_user_id') <@ (
    SELECT coalesce(jsonb_agg(person), '[]') FROM {{schema}}.vigil_visible_users() AS person
  )
);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.notification_queue TO vigil_engine;
GRANT SELECT ON {{schema}}.notification_queue TO vigil_backfill, vigil_reader;

-- A sender records what happened to a row, and changes neither what a row says nor to whom. It adds only
-- calls upon caregivers and contacts, each of which needs its row of escalation_log.
CREATE POLICY vigil_sender ON {{schema}}.notification_queue
FOR SELECT TO vigil_sender USING (channel <> 'in_app');
CREATE POLICY vigil_sender_update ON {{schema}}.notification_queue
FOR UPDATE TO vigil_sender USING (channel <> 'in_app');
GRANT SELECT, UPDATE (
  status, status_reason, attempts, last_attempt_at, last_error, sent_at, expires_at, updated_at,
  next_attempt_at, lease_owner, lease_until, fencing_token
) ON {{schema}}.notification_queue TO vigil_sender;
CREATE POLICY vigil_sender_insert ON {{schema}}.notification_queue FOR INSERT TO vigil_sender WITH CHECK (
  notification_type IN ('escalation', 'emergency_contact')
  AND EXISTS (
    SELECT FROM {{schema}}.escalation_log AS call
    WHERE call.id = run_id AND call.patient_id = member_user_id
      AND coalesce(call.caregiver_id, call.patient_id) = recipient_user_id
      AND call.emergency_contact_id IS NOT DISTINCT FROM notification_queue.emergency_contact_id
  )
);
GRANT INSERT (
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level, channel,
  payload, priority, scheduled_for, expires_at, dedupe_key, run_id,
  created_at, updated_at, emergency_contact_id
) ON {{schema}}.notification_queue TO vigil_sender;

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
GRANT SELECT, UPDATE (revoked_at) ON {{schema}}.push_tokens TO vigil_sender;
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

-- A sender removes nothing from the log; pruning does.
ALTER TABLE {{schema}}.sms_lock ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.sms_lock TO CURRENT_USER USING (TRUE);
GRANT DELETE ON {{schema}}.sms_lock TO vigil_sender;
ALTER TABLE {{schema}}.sms_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.sms_log TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_sender ON {{schema}}.sms_log TO vigil_sender USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.sms_log TO vigil_engine USING (TRUE);
GRANT SELECT, INSERT, UPDATE (status, fencing_token, updated_at)
ON {{schema}}.sms_log TO vigil_sender;
GRANT SELECT, DELETE ON {{schema}}.sms_log TO vigil_engine;

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

-- No reader sees what was never sent.
ALTER TABLE {{schema}}.shadow_notification_queue
  ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.shadow_notification_queue TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.shadow_notification_queue
TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.shadow_notification_queue TO vigil_engine;
GRANT SELECT, INSERT, UPDATE ON {{schema}}.shadow_notification_queue TO vigil_backfill;

-- Held notifications will be sent, so a backfill may not change them.
ALTER TABLE {{schema}}.held_notifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.held_notifications TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.held_notifications TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.held_notifications
FOR SELECT TO vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.held_notifications TO vigil_engine;
GRANT SELECT ON {{schema}}.held_notifications TO vigil_backfill;

ALTER TABLE {{schema}}.spent_notifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.spent_notifications TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.spent_notifications TO vigil_engine USING (TRUE);
GRANT SELECT, INSERT ON {{schema}}.spent_notifications TO vigil_engine;

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
-- A sender adds calls after those of a night, and closes calls that were not answered or need no answer.
CREATE POLICY vigil_sender ON {{schema}}.escalation_log FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_sender_insert ON {{schema}}.escalation_log
FOR INSERT TO vigil_sender WITH CHECK (step > 0);
CREATE POLICY vigil_sender_update ON {{schema}}.escalation_log
FOR UPDATE TO vigil_sender USING (TRUE);
GRANT SELECT, INSERT, UPDATE (status, acknowledged_at, resolved_at, resolution)
ON {{schema}}.escalation_log TO vigil_sender;

-- What the last night left is for nights alone; that an alert is provisional is for those who see the alert.
ALTER TABLE {{schema}}.provisional_alerts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.provisional_alerts TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.provisional_alerts TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.provisional_alerts
FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.provisional_alerts FOR SELECT TO vigil_reader USING (EXISTS (
  SELECT FROM {{schema}}.pattern_alert_state AS alert WHERE alert.id = alert_state_id
));
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.provisional_alerts TO vigil_engine;
GRANT SELECT ON {{schema}}.provisional_alerts TO vigil_backfill;
GRANT SELECT (alert_state_id, user_id, evaluated_on, created_at, updated_at)
ON {{schema}}.provisional_alerts TO vigil_reader;
ALTER TABLE {{schema}}.provisional_notifications
  ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.provisional_notifications TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.provisional_notifications TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.provisional_notifications
FOR SELECT TO vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, DELETE ON {{schema}}.provisional_notifications TO vigil_engine;
GRANT SELECT ON {{schema}}.provisional_notifications TO vigil_backfill;

-- A reader learns of changes of alerts that they may see.
ALTER TABLE {{schema}}.outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.outbox TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.outbox TO vigil_engine USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.outbox FOR SELECT TO vigil_reader USING (EXISTS (
  SELECT FROM {{schema}}.pattern_alert_state AS alert WHERE alert.id = alert_state_id
));
GRANT SELECT, INSERT, DELETE ON {{schema}}.outbox TO vigil_engine;
GRANT SELECT ON {{schema}}.outbox TO vigil_reader;

-- MARK: What an app does on behalf of a member

-- The functions for vigil_reader act as the person of app.current_user_id, and take no argument that could name
-- another. They do what the library does on both databases (AlertAction), with the rights of the owner: a reader
-- has none to change a row. Of an alert that the member may not see they say the same as of one that there is not.

-- The library derives the ids of its rows with SHA-1, which PostgreSQL has in an extension only.
CREATE FUNCTION {{schema}}.vigil_sha1(message bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  low_bits constant bigint := 4294967295;
  padded constant bytea := message || '\x80'::bytea
    || decode(repeat('00', (119 - length(message) % 64) % 64), 'hex')
    || int8send(8 * length(message)::bigint);
  digest bigint[] := ARRAY[1732584193, 4023233417, 2562383102, 271733878, 3285377520]::bigint[];
  word bigint[];
  mixed bigint;
  added bigint;
  a bigint;
  b bigint;
  c bigint;
  d bigint;
  e bigint;
BEGIN
  FOR block IN 0 .. length(padded) / 64 - 1 LOOP
    FOR place IN 1 .. 16 LOOP
      word[place] := (
        'x' || encode(substring(padded FROM block * 64 + place * 4 - 3 FOR 4), 'hex')
      )::bit(32)::bigint & low_bits;
    END LOOP;
    FOR place IN 17 .. 80 LOOP
      mixed := word[place - 3] # word[place - 8] # word[place - 14] # word[place - 16];
      word[place] := ((mixed << 1) | (mixed >> 31)) & low_bits;
    END LOOP;
    a := digest[1];
    b := digest[2];
    c := digest[3];
    d := digest[4];
    e := digest[5];
    FOR place IN 1 .. 80 LOOP
      added := word[place] + e + (((a << 5) | (a >> 27)) & low_bits) + CASE
        WHEN place <= 20 THEN 1518500249 + ((b & c) | ((~ b) & d))
        WHEN place <= 40 THEN 1859775393 + (b # c # d)
        WHEN place <= 60 THEN 2400959708 + ((b & c) | (b & d) | (c & d))
        ELSE 3395469782 + (b # c # d)
      END;
      e := d;
      d := c;
      c := ((b << 30) | (b >> 2)) & low_bits;
      b := a;
      a := added & low_bits;
    END LOOP;
    digest := ARRAY[
      (digest[1] + a) & low_bits, (digest[2] + b) & low_bits, (digest[3] + c) & low_bits,
      (digest[4] + d) & low_bits, (digest[5] + e) & low_bits
    ];
  END LOOP;
  RETURN decode((
    SELECT string_agg(lpad(to_hex(part), 8, '0'), '' ORDER BY place)
    FROM unnest(digest) WITH ORDINALITY AS one (part, place)
  ), 'hex');
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_sha1(bytea) IS
  'Returns the SHA-1 of bytes.';

CREATE FUNCTION {{schema}}.vigil_id(natural_key text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  digest bytea := {{schema}}.vigil_sha1(
    uuid_send('6f0b7c1e-6f5c-5a53-9d1c-5e0f4b7a9c21') || convert_to(natural_key, 'UTF8'));
BEGIN
  digest := set_byte(digest, 6, (get_byte(digest, 6) & 15) | 80);
  digest := set_byte(digest, 8, (get_byte(digest, 8) & 63) | 128);
  RETURN encode(substring(digest FOR 16), 'hex')::uuid;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_id(text) IS
  'Returns the id of a row with this natural key: its UUIDv5, the same in every database.';

CREATE FUNCTION {{schema}}.vigil_acting_member() RETURNS uuid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF {{schema}}.vigil_viewer_id() IS NULL THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;
  RETURN {{schema}}.vigil_viewer_id();
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_acting_member() IS
  'Returns the person on whose behalf an app acts. An error where app.current_user_id is missing or no '
  'UUID.';

CREATE FUNCTION {{schema}}.vigil_visible_event(alert uuid)
RETURNS TABLE (
  id uuid,
  is_active boolean
)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM {{schema}}.vigil_acting_member();
  RETURN QUERY
  WITH asked AS (
    SELECT own.event_id FROM {{schema}}.pattern_alert_state AS own
    WHERE own.id = vigil_visible_event.alert
      AND own.user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
  )
  SELECT first.id, first.episode_status = 'active'
  FROM asked JOIN {{schema}}.pattern_alert_state AS first ON first.id = asked.event_id
  UNION ALL
  SELECT joined.id, joined.episode_status = 'active'
  FROM asked JOIN {{schema}}.pattern_alert_state AS joined
    ON joined.event_id = asked.event_id AND joined.event_id <> joined.id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the viewer has no such alert'
      USING ERRCODE = 'no_data_found',
        HINT = 'give the id of an alert of the viewer, or of a member of one of their families';
  END IF;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_visible_event(uuid) IS
  'Returns the alerts of the event in which an alert is that the viewer may see. An error where there is '
  'no viewer, or no such alert for them.';

-- Runs and the library hold the same lock when they change alerts and the queue: of two members at once the
-- second sees what the first has done.
CREATE FUNCTION {{schema}}.vigil_act_on_alert(
  alert uuid, act text, until date, instant timestamptz
)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz,
  other_alerts integer,
  notifications bigint,
  escalations bigint
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  viewer constant uuid := {{schema}}.vigil_viewer_id();
  alerts uuid[];
  is_active boolean;
  at_instant timestamptz;
  today date;
  reason text;
  changed bigint;
BEGIN
  -- Before the lock, so that waiting for it does not reveal that there is such an alert.
  PERFORM FROM {{schema}}.vigil_visible_event(vigil_act_on_alert.alert);
  LOCK TABLE {{schema}}.change_lock IN EXCLUSIVE MODE;
  at_instant := coalesce(vigil_act_on_alert.instant, clock_timestamp());
  today := (at_instant AT TIME ZONE 'UTC')::date;

  -- Who gives the instant has looked at the day, by a clock of its own.
  IF act = 'snooze' AND (
    until <= DATE '9999-12-31' AND (vigil_act_on_alert.instant IS NOT NULL OR until > today)
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'a snooze ends after today (UTC) and in the year 9999 at the latest'
      USING ERRCODE = 'invalid_parameter_value',
        HINT = 'give the day on which notifications resume';
  END IF;

  SELECT array_agg(one.id), bool_or(one.is_active) INTO alerts, is_active
  FROM {{schema}}.vigil_visible_event(vigil_act_on_alert.alert) AS one;
  IF NOT is_active THEN
    RAISE EXCEPTION 'the alert has ended; no action on it is possible'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;

  INSERT INTO {{schema}}.alert_actions (
    id, alert_state_id, action, actor_user_id, acted_at, snooze_until
  )
  VALUES (
    {{schema}}.vigil_id(format(
      'alert_actions:%s:%s:%s:%s', alert, act, viewer,
      to_char(at_instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))),
    alert, act, viewer, at_instant, until
  )
  ON CONFLICT (id) DO NOTHING;

  -- The first acknowledgement and the first dismissal stay.
  UPDATE {{schema}}.pattern_alert_state AS own SET
    acknowledged_by = CASE
      WHEN act = 'acknowledge' AND own.acknowledged_at IS NULL THEN viewer
      ELSE own.acknowledged_by
    END,
    acknowledged_at = CASE
      WHEN act = 'acknowledge' AND own.acknowledged_at IS NULL THEN at_instant
      ELSE own.acknowledged_at
    END,
    snooze_until = CASE act
      WHEN 'snooze' THEN until
      WHEN 'restore' THEN NULL
      ELSE own.snooze_until
    END,
    dismissed_at = CASE act
      WHEN 'dismiss' THEN coalesce(own.dismissed_at, at_instant)
      WHEN 'restore' THEN NULL
      ELSE own.dismissed_at
    END,
    updated_at = at_instant
  WHERE own.id = ANY (alerts);

  notifications := 0;
  escalations := 0;
  IF act IN ('snooze', 'dismiss') THEN
    reason := CASE act WHEN 'snooze' THEN 'snoozed' ELSE 'dismissed' END;
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'cancelled', status_reason = reason, updated_at = at_instant
    WHERE own.status = 'pending' AND own.alert_state_id = ANY (alerts)
      AND own.notification_type <> 'pattern_alert_group';
    GET DIAGNOSTICS notifications = ROW_COUNT;
    -- A group goes out as long as it has an alert that is neither dismissed nor snoozed today.
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'cancelled', status_reason = reason, updated_at = at_instant
    WHERE own.status = 'pending' AND own.id = ANY (ARRAY(
        SELECT member.group_id FROM {{schema}}.notification_queue AS member
        WHERE member.alert_state_id = ANY (alerts) AND member.group_id IS NOT NULL
      ))
      AND NOT EXISTS (
        SELECT FROM {{schema}}.notification_queue AS member
        JOIN {{schema}}.pattern_alert_state AS grouped ON grouped.id = member.alert_state_id
        WHERE member.group_id = own.id AND grouped.dismissed_at IS NULL
          AND (grouped.snooze_until IS NULL OR grouped.snooze_until <= today)
      );
    GET DIAGNOSTICS changed = ROW_COUNT;
    notifications := notifications + changed;
  ELSIF act = 'restore' THEN
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'pending', updated_at = at_instant,
      status_reason = CASE WHEN own.scheduled_for > at_instant THEN 'quiet_hours' END
    WHERE own.status = 'cancelled' AND own.status_reason IN ('snoozed', 'dismissed')
      AND own.expires_at > at_instant
      AND (
        own.alert_state_id = ANY (alerts) OR EXISTS (
          SELECT FROM {{schema}}.notification_queue AS member
          WHERE member.group_id = own.id AND member.alert_state_id = ANY (alerts)
        )
      );
    GET DIAGNOSTICS notifications = ROW_COUNT;
  END IF;

  IF act IN ('acknowledge', 'dismiss') THEN
    UPDATE {{schema}}.escalation_log AS call SET
      status = CASE act WHEN 'acknowledge' THEN 'acknowledged' ELSE 'resolved' END,
      acknowledged_at = CASE act WHEN 'acknowledge' THEN at_instant ELSE call.acknowledged_at END,
      resolved_at = CASE act WHEN 'dismiss' THEN at_instant ELSE call.resolved_at END
    WHERE call.related_blob_id = ANY (alerts) AND call.status IN ('pending', 'notified')
      AND call.expires_at > at_instant;
    GET DIAGNOSTICS escalations = ROW_COUNT;
  END IF;

  RETURN QUERY
  SELECT own.id, at_instant, own.acknowledged_at, own.acknowledged_by, own.snooze_until,
    own.dismissed_at, cardinality(alerts) - 1, notifications, escalations
  FROM {{schema}}.pattern_alert_state AS own
  WHERE own.id = vigil_act_on_alert.alert;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_act_on_alert(uuid, text, date, timestamptz) IS
  'Carries out an action of the viewer on an alert at an instant, or now where it is NULL. Returns the alert '
  'as it is then, and how many other alerts of the event, notifications and escalations have changed. The functions for '
  'apps and the command line call it.';

CREATE FUNCTION {{schema}}.acknowledge_alert(alert uuid)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'acknowledge', NULL, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.acknowledge_alert(uuid) IS
  'Acknowledges an alert as the viewer: its open escalations count as answered. It holds for the whole '
  'event. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.snooze_alert(alert uuid, until date)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'snooze', until, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.snooze_alert(uuid, date) IS
  'Snoozes an alert as the viewer: no notifications of its event before the day until, which is after '
  'today in UTC. Cancels those that wait. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.dismiss_alert(alert uuid)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'dismiss', NULL, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.dismiss_alert(uuid) IS
  'Dismisses an alert as the viewer: no more notifications of its event. Cancels those that wait; open '
  'escalations need no answer any more. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.restore_alert(alert uuid)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'restore', NULL, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.restore_alert(uuid) IS
  'Takes back snooze and dismissal of an alert as the viewer: cancelled notifications of its event wait '
  'again unless they have expired. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.vigil_mark_alert_read(alert uuid, instant timestamptz)
RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
BEGIN
  INSERT INTO {{schema}}.alert_reads (id, alert_state_id, user_id, read_at)
  SELECT {{schema}}.vigil_id(format('alert_reads:%s:%s', one.id, member)), one.id, member,
    coalesce(vigil_mark_alert_read.instant, clock_timestamp())
  FROM {{schema}}.vigil_visible_event(vigil_mark_alert_read.alert) AS one
  ORDER BY one.id
  ON CONFLICT (id) DO NOTHING;
  RETURN (
    SELECT own.read_at FROM {{schema}}.alert_reads AS own
    WHERE own.id = {{schema}}.vigil_id(format('alert_reads:%s:%s', vigil_mark_alert_read.alert, member))
  );
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_mark_alert_read(uuid, timestamptz) IS
  'Records that the viewer has read an alert at an instant, or now where it is NULL. mark_alert_read '
  'and the command line call it.';

CREATE FUNCTION {{schema}}.mark_alert_read(alert uuid) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_mark_alert_read(alert, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.mark_alert_read(uuid) IS
  'Records in alert_reads that the viewer has read an alert and the other alerts of its event. Returns '
  'when they first read it.';

CREATE FUNCTION {{schema}}.vigil_check_in(kind text, instant timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
-- A view of the app may have columns of these names.
#variable_conflict use_variable
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_check_in.instant, clock_timestamp());
  is_known boolean;
BEGIN
  IF (vigil_check_in.kind IN ('manual', 'automatic', 'responder')) IS NOT TRUE THEN
    RAISE EXCEPTION 'a check-in is manual, automatic or responder'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'call check_in() for a manual one';
  END IF;
  -- A table or a view of the app need not refer to users.
  IF NOT EXISTS (SELECT FROM {{schema}}.users AS person WHERE person.id = member) THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;
  -- An app's view may lack kind, have a type of its own for it, or take no ON CONFLICT.
  IF EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(format('%I.check_ins', {{schema_name}})) AND attname = 'kind'
      AND NOT attisdropped
  ) THEN
    EXECUTE format(
      'INSERT INTO %I.check_ins (user_id, checked_in_at, kind) VALUES ($1, $2, %L)',
      {{schema_name}}, vigil_check_in.kind)
    USING member, at_instant;
  ELSE
    EXECUTE format(
      'INSERT INTO %I.check_ins (user_id, checked_in_at) VALUES ($1, $2)', {{schema_name}})
    USING member, at_instant;
  END IF;
  RETURN at_instant;
EXCEPTION WHEN unique_violation THEN
  -- A trigger of the app may have met the key of another table, and then nothing was added.
  EXECUTE format(
    'SELECT EXISTS (SELECT FROM %I.check_ins WHERE user_id = $1 AND checked_in_at = $2)', {{schema_name}})
  INTO is_known USING member, at_instant;
  IF is_known THEN
    RETURN at_instant;
  END IF;
  RAISE;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_check_in(text, timestamptz) IS
  'Adds a check-in of the viewer at an instant, or now where it is NULL. check_in calls it, and only the '
  'owner may.';

CREATE FUNCTION {{schema}}.check_in(kind text) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_check_in(kind, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.check_in(text) IS
  'Adds a check-in of the viewer to check_ins: manual, automatic or responder (another person asked). '
  'Returns when it was.';

CREATE FUNCTION {{schema}}.check_in() RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_check_in('manual', NULL)
$$;

COMMENT ON FUNCTION {{schema}}.check_in() IS
  'Adds a manual check-in of the viewer to check_ins. Returns when it was.';

-- The person whose data are opened is always the viewer. A member whom the viewer may not see is refused as one that there
-- is not.
CREATE FUNCTION {{schema}}.vigil_share(
  member uuid, member_role text, what text, until timestamptz
)
RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  viewer constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := clock_timestamp();
  failed text;
BEGIN
  IF vigil_share.member_role IS NULL AND (
    vigil_share.member <> viewer
    AND vigil_share.member IN (SELECT {{schema}}.vigil_visible_users())
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'the viewer has no such member'
      USING ERRCODE = 'no_data_found',
        HINT = 'give the id of another accepted member of one of the viewer''s families';
  END IF;
  IF vigil_share.until <= at_instant OR vigil_share.until >= TIMESTAMPTZ '10000-01-01 00:00:00Z' THEN
    RAISE EXCEPTION 'a grant ends after now and in the year 9999 at the latest'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'give NULL for a grant without an end';
  END IF;
  -- A table or a view of the app need not refer to users.
  IF NOT EXISTS (SELECT FROM {{schema}}.users AS person WHERE person.id = viewer) THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;

  INSERT INTO {{schema}}.sharing_grants AS own (
    id, user_id, member_user_id, member_role, what, until, created_at
  )
  VALUES (
    {{schema}}.vigil_id(format(
      'sharing_grants:%s:%s:%s', viewer, coalesce(vigil_share.what, ''),
      coalesce(vigil_share.member::text, vigil_share.member_role))),
    viewer, vigil_share.member, vigil_share.member_role, coalesce(vigil_share.what, ''),
    vigil_share.until, at_instant
  )
  ON CONFLICT (id) DO UPDATE SET until = excluded.until, created_at = excluded.created_at;
  RETURN at_instant;
EXCEPTION WHEN check_violation THEN
  GET STACKED DIAGNOSTICS failed = CONSTRAINT_NAME;
  RAISE EXCEPTION USING
    ERRCODE = 'invalid_parameter_value',
    MESSAGE = CASE failed
      WHEN 'sharing_grants_member_role_known' THEN 'a role is superadmin, admin or member'
      ELSE 'what is shared is metrics, medications, doses, notes, location, check_ins or email'
    END;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_share(uuid, text, text, timestamptz) IS
  'Records that the viewer opens a kind of data to a member or to a role. share and share_with_role call it, and only the '
  'owner may.';

CREATE FUNCTION {{schema}}.vigil_unshare(member uuid, member_role text, what text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  viewer constant uuid := {{schema}}.vigil_acting_member();
BEGIN
  DELETE FROM {{schema}}.sharing_grants AS own
  WHERE own.user_id = viewer AND own.what = vigil_unshare.what
    AND (own.member_user_id = vigil_unshare.member OR own.member_role = vigil_unshare.member_role);
  RETURN FOUND;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_unshare(uuid, text, text) IS
  'Removes a grant of the viewer. unshare and unshare_with_role call it, and only the owner may.';

CREATE FUNCTION {{schema}}.share(member uuid, what text, until timestamptz) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(member, NULL, what, until)
$$;

COMMENT ON FUNCTION {{schema}}.share(uuid, text, timestamptz) IS
  'Opens a kind of data of the viewer to a member of one of their families, until an instant or, where it is NULL, '
  'without an end. A second call replaces the end. Returns when that was.';

CREATE FUNCTION {{schema}}.share(member uuid, what text) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(member, NULL, what, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.share(uuid, text) IS
  'Does the same without an end.';

CREATE FUNCTION {{schema}}.share_with_role(member_role text, what text, until timestamptz) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(NULL, coalesce(member_role, ''), what, until)
$$;

COMMENT ON FUNCTION {{schema}}.share_with_role(text, text, timestamptz) IS
  'Opens a kind of data of the viewer to all who have a role in a family with the viewer: superadmin, admin or member; '
  'until an instant or, where it is NULL, without an end. Returns when that was.';

CREATE FUNCTION {{schema}}.share_with_role(member_role text, what text) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(NULL, coalesce(member_role, ''), what, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.share_with_role(text, text) IS
  'Does the same without an end.';

CREATE FUNCTION {{schema}}.unshare(member uuid, what text) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_unshare(member, NULL, what)
$$;

COMMENT ON FUNCTION {{schema}}.unshare(uuid, text) IS
  'Takes back what the viewer has opened to a member; what is open to a role stays. Returns whether there was a grant.';

CREATE FUNCTION {{schema}}.unshare_with_role(member_role text, what text) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_unshare(NULL, member_role, what)
$$;

COMMENT ON FUNCTION {{schema}}.unshare_with_role(text, text) IS
  'Takes back what the viewer has opened to a role; what is open to a member by name stays. Returns whether there was a '
  'grant.';

REVOKE ALL ON FUNCTION
  {{schema}}.vigil_sha1(bytea), {{schema}}.vigil_id(text), {{schema}}.vigil_acting_member(),
  {{schema}}.vigil_visible_event(uuid),
  {{schema}}.vigil_act_on_alert(uuid, text, date, timestamptz),
  {{schema}}.vigil_mark_alert_read(uuid, timestamptz), {{schema}}.vigil_check_in(text, timestamptz),
  {{schema}}.acknowledge_alert(uuid), {{schema}}.snooze_alert(uuid, date),
  {{schema}}.dismiss_alert(uuid), {{schema}}.restore_alert(uuid), {{schema}}.mark_alert_read(uuid),
  {{schema}}.check_in(text), {{schema}}.check_in(),
  {{schema}}.vigil_share(uuid, text, text, timestamptz), {{schema}}.vigil_unshare(uuid, text, text),
  {{schema}}.share(uuid, text, timestamptz), {{schema}}.share_with_role(text, text, timestamptz),
  {{schema}}.share(uuid, text), {{schema}}.share_with_role(text, text),
  {{schema}}.unshare(uuid, text), {{schema}}.unshare_with_role(text, text)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  {{schema}}.acknowledge_alert(uuid), {{schema}}.snooze_alert(uuid, date),
  {{schema}}.dismiss_alert(uuid), {{schema}}.restore_alert(uuid), {{schema}}.mark_alert_read(uuid),
  {{schema}}.check_in(text), {{schema}}.check_in(),
  {{schema}}.share(uuid, text, timestamptz), {{schema}}.share_with_role(text, text, timestamptz),
  {{schema}}.share(uuid, text), {{schema}}.share_with_role(text, text),
  {{schema}}.unshare(uuid, text), {{schema}}.unshare_with_role(text, text)
TO vigil_reader;

-- The command line acts for members by the same functions; an engine sees all rows that they change.
GRANT EXECUTE ON FUNCTION
  {{schema}}.vigil_viewer_id(), {{schema}}.vigil_visible_members(), {{schema}}.vigil_visible_users(),
  {{schema}}.vigil_sha1(bytea), {{schema}}.vigil_id(text), {{schema}}.vigil_acting_member(),
  {{schema}}.vigil_visible_event(uuid),
  {{schema}}.vigil_act_on_alert(uuid, text, date, timestamptz),
  {{schema}}.vigil_mark_alert_read(uuid, timestamptz)
TO vigil_engine;
