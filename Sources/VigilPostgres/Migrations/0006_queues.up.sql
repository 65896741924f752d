-- Notifications to send, those that shadow runs plan and live runs hold, and ids of those that were pruned.

-- MARK: Tables

CREATE TABLE {{schema}}.notification_queue (
  id uuid PRIMARY KEY,
  recipient_user_id uuid NOT NULL,
  member_user_id uuid NOT NULL,
  alert_state_id uuid,
  notification_type text NOT NULL,
  template_id text NOT NULL,
  level integer,
  channel text NOT NULL,
  payload jsonb NOT NULL,
  priority text NOT NULL,
  scheduled_for timestamptz NOT NULL,
  expires_at timestamptz,
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
  prompt_id uuid,
  delivered_at timestamptz,
  read_at timestamptz,
  CONSTRAINT notification_queue_one_subject CHECK (
    num_nonnulls(alert_state_id, prompt_id) = 1 AND (level IS NULL) = (alert_state_id IS NULL)
  ),
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
  CONSTRAINT notification_queue_expires_unless_in_app CHECK (expires_at IS NOT NULL OR channel = 'in_app'),
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
  ),
  -- What was cancelled may have been on a screen before.
  CONSTRAINT notification_queue_is_marked_in_app CHECK (
    delivered_at IS NULL OR channel = 'in_app' AND status IN ('sent', 'cancelled')
  ),
  CONSTRAINT notification_queue_is_delivered_before_read CHECK (
    read_at IS NULL OR delivered_at IS NOT NULL AND read_at >= delivered_at
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

CREATE INDEX notification_queue_by_prompt ON {{schema}}.notification_queue (prompt_id)
WHERE prompt_id IS NOT NULL;

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
  'The alert; of a group, its gravest. NULL for a prompt.';
COMMENT ON COLUMN {{schema}}.notification_queue.notification_type IS
  'pattern_alert, pattern_recovery, pattern_alert_group, escalation, emergency_contact or a kind of prompt.';
COMMENT ON COLUMN {{schema}}.notification_queue.template_id IS
  'Template of the text for the app.';
COMMENT ON COLUMN {{schema}}.notification_queue.level IS
  'Level of the alert: 3, 7, 14 or 21 days. NULL for a prompt.';
COMMENT ON COLUMN {{schema}}.notification_queue.channel IS
  'The channel, such as push or in_app.';
COMMENT ON COLUMN {{schema}}.notification_queue.payload IS
  'What a template needs, as a JSON object. It holds no name, no measured value and no free text.';
COMMENT ON COLUMN {{schema}}.notification_queue.priority IS
  'low, normal, high or critical.';
COMMENT ON COLUMN {{schema}}.notification_queue.scheduled_for IS
  'When to send: at once, or at the end of the recipient''s quiet hours.';
COMMENT ON COLUMN {{schema}}.notification_queue.expires_at IS
  'When it is too late to send: 24 hours after scheduled_for. NULL in the app, where that is the only channel that the '
  'recipient has on.';
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
  'When the notification was sent; in the app, when it was first delivered.';
COMMENT ON COLUMN {{schema}}.notification_queue.dedupe_key IS
  'Alert, recipient, channel and level. Unique, so that none is enqueued twice.';
COMMENT ON COLUMN {{schema}}.notification_queue.group_night IS
  'The night whose group notification may include the row. NULL where it is sent by itself.';
COMMENT ON COLUMN {{schema}}.notification_queue.group_id IS
  'The row of the group notification that includes this one.';
COMMENT ON COLUMN {{schema}}.notification_queue.run_id IS
  'The run that enqueued the row, the call of an escalation, or the prompt.';
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
COMMENT ON COLUMN {{schema}}.notification_queue.prompt_id IS
  'The raised alert or ping that it is about; of a reminder of a check-in the UUIDv5 of person and interval. NULL for an '
  'alert that a run has found.';
COMMENT ON COLUMN {{schema}}.notification_queue.delivered_at IS
  'When the app first had it (mark_delivered, mark_read). NULL before, and for every other channel.';
COMMENT ON COLUMN {{schema}}.notification_queue.read_at IS
  'When the recipient first read it in the app (mark_read). NULL before. It answers no call.';

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
  expires_at timestamptz,
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
  CONSTRAINT shadow_notification_queue_expires_unless_in_app CHECK (expires_at IS NOT NULL OR channel = 'in_app'),
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
  'pattern_alert, pattern_recovery, pattern_alert_group, escalation, emergency_contact or a kind of prompt.';
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
  'When it is too late to send: 24 hours after scheduled_for. NULL in the app, where that is the only channel that the '
  'recipient has on.';
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
  expires_at timestamptz,
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
  CONSTRAINT held_notifications_expires_unless_in_app CHECK (expires_at IS NOT NULL OR channel = 'in_app'),
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
  'When it is too late to send: 24 hours after scheduled_for. NULL in the app, where that is the only channel that the '
  'recipient has on.';
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
  'notification_queue, raised an alert or pinged a member commits.';

CREATE TRIGGER raised_alerts_wake_senders AFTER INSERT ON {{schema}}.raised_alerts
FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_wake_senders();

CREATE TRIGGER pings_wake_senders AFTER INSERT ON {{schema}}.pings
FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_wake_senders();

CREATE TRIGGER notification_queue_wakes_senders AFTER INSERT ON {{schema}}.notification_queue
FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_wake_senders();

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
  END IF;
END
$$;

-- MARK: Rights

-- A backfill cannot notify, whatever it tries. A reader sees what is addressed to them, as long as they may see the
-- persons whom it is about, except what was withheld because they are excluded: they must not learn of it. An app shows
-- the rows of its own channel, so that those that are not to be shown are hidden.
ALTER TABLE {{schema}}.notification_queue ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.notification_queue TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.notification_queue TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.notification_queue
FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.notification_queue FOR SELECT TO vigil_reader USING (
  recipient_user_id = (SELECT {{schema}}.vigil_viewer_id())
  AND status_reason IS DISTINCT FROM 'excluded'
  AND (channel <> 'in_app' OR status IN ('pending', 'sent'))
  AND member_user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
  -- A group is about several persons.
  AND jsonb_path_query_array(payload, '$.alerts[*].member_user_id') <@ (
    SELECT coalesce(jsonb_agg(person), '[]') FROM {{schema}}.vigil_visible_users() AS person
  )
);
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.notification_queue TO vigil_engine;
GRANT SELECT ON {{schema}}.notification_queue TO vigil_backfill, vigil_reader;

-- A sender records what happened to a row, and changes neither what a row says nor to whom. It adds only
-- calls upon caregivers and contacts, each of which needs its row of escalation_log, and what a prompt says. A row of the
-- app is sent by no sender: it looks again whether the row is still to be shown, and cancels it where it is not.
CREATE POLICY vigil_sender ON {{schema}}.notification_queue
FOR SELECT TO vigil_sender USING (TRUE);
CREATE POLICY vigil_sender_update ON {{schema}}.notification_queue
FOR UPDATE TO vigil_sender USING (channel <> 'in_app' OR status = 'pending')
WITH CHECK (channel <> 'in_app' OR status = 'cancelled');
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
      AND call.related_blob_id = coalesce(alert_state_id, prompt_id)
  )
  OR notification_type = 'raised_alert' AND EXISTS (
    SELECT FROM {{schema}}.raised_alerts AS alert
    WHERE alert.id = prompt_id AND alert.user_id = member_user_id AND alert.user_id <> recipient_user_id
  )
  OR notification_type = 'ping' AND member_user_id = recipient_user_id AND EXISTS (
    SELECT FROM {{schema}}.pings AS ping
    WHERE ping.id = prompt_id AND ping.recipient_user_id = member_user_id
  )
  OR notification_type = 'check_in_reminder' AND member_user_id = recipient_user_id AND EXISTS (
    SELECT FROM {{schema}}.check_in_reminders AS reminder
    WHERE reminder.user_id = member_user_id
  )
  OR notification_type = 'quota_warning' AND member_user_id = recipient_user_id
  AND channel NOT IN ({{telephone_channels}}) AND EXISTS (
    SELECT FROM {{schema}}.sms_quota_warnings AS warning
    WHERE warning.user_id = member_user_id
  )
);
GRANT INSERT (
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level, channel,
  payload, priority, scheduled_for, expires_at, dedupe_key, run_id,
  created_at, updated_at, emergency_contact_id, prompt_id, status, status_reason
) ON {{schema}}.notification_queue TO vigil_sender;

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
