-- What became of every planned notification, who set an alert aside, and which escalations wait for an
-- answer.

-- MARK: Queues

ALTER TABLE notification_queue
  ADD COLUMN status_reason text,
  -- The night whose group the row may join; NULL where it goes out by itself.
  ADD COLUMN group_night date,
  -- The row that tells this one with others.
  ADD COLUMN group_id uuid,
  ADD CONSTRAINT notification_queue_status_reason_known CHECK (
    status_reason IN (
      'quiet_hours', 'snoozed', 'dismissed', 'excluded', 'preference_off', 'superseded', 'resolved',
      'expired', 'grouped'
    )
  );

ALTER TABLE shadow_notification_queue
  ADD COLUMN status_reason text,
  ADD COLUMN group_night date,
  ADD COLUMN group_id uuid,
  ADD CONSTRAINT shadow_notification_queue_status_reason_known CHECK (
    status_reason IN (
      'quiet_hours', 'snoozed', 'dismissed', 'excluded', 'preference_off', 'superseded', 'resolved',
      'expired', 'grouped'
    )
  );

CREATE INDEX notification_queue_by_group ON notification_queue (group_id)
WHERE group_id IS NOT NULL;

CREATE INDEX shadow_notification_queue_ungrouped ON shadow_notification_queue (run_id)
WHERE group_night IS NOT NULL AND group_id IS NULL;

ALTER TABLE held_notifications
  ADD COLUMN status_reason text,
  ADD COLUMN group_night date,
  ADD COLUMN group_id uuid,
  -- The row of escalation_log that its release makes; NULL where nobody but the person is told.
  ADD COLUMN escalation_id uuid,
  DROP CONSTRAINT held_notifications_outcome_known,
  ADD CONSTRAINT held_notifications_outcome_known CHECK (
    outcome IN (
      'released', 'discarded', 'superseded', 'resolved', 'dismissed', 'snoozed', 'excluded',
      'preference_off', 'repeated'
    )
  );

-- Ids of notifications whose rows are gone from the queue, so that they are never enqueued again.
CREATE TABLE spent_notifications (
  id uuid PRIMARY KEY,
  pruned_at timestamptz NOT NULL
);

-- MARK: Alerts

-- Who set what aside, and when; the newest of them is what the alert says.
CREATE TABLE alert_actions (
  id uuid PRIMARY KEY,
  alert_state_id uuid NOT NULL,
  action text NOT NULL,
  actor_user_id uuid NOT NULL,
  acted_at timestamptz NOT NULL,
  -- The day on which the snooze is over.
  snooze_until date,
  CONSTRAINT alert_actions_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT alert_actions_action_known CHECK (
    action IN ('acknowledge', 'snooze', 'dismiss', 'restore')
  ),
  CONSTRAINT alert_actions_snooze_has_end CHECK ((action = 'snooze') = (snooze_until IS NOT NULL))
);

CREATE INDEX alert_actions_by_alert ON alert_actions (alert_state_id, acted_at);

-- Who of a family was called upon, and whether they answered; no health value in it.
CREATE TABLE escalation_log (
  id uuid PRIMARY KEY,
  patient_id uuid NOT NULL,
  caregiver_id uuid NOT NULL,
  -- The app's relation of the two, where it knows one.
  relation_id uuid,
  escalation_type text NOT NULL,
  -- The alert or insight that was escalated.
  related_blob_id uuid,
  triggered_at timestamptz NOT NULL DEFAULT now(),
  -- How long it had lasted before it was escalated.
  window_minutes integer,
  status text NOT NULL DEFAULT 'pending',
  acknowledged_at timestamptz,
  resolved_at timestamptz,
  resolution text,
  channels_used text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + INTERVAL '4 hours',
  CONSTRAINT escalation_log_escalation_type_known CHECK (
    escalation_type IN (
      'missed_dose', 'critical_value', 'panic_button', 'inactivity', 'pattern_anomaly'
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
  CONSTRAINT escalation_log_expires_after_trigger CHECK (expires_at >= triggered_at)
);

CREATE INDEX escalation_log_open ON escalation_log (expires_at)
WHERE status IN ('pending', 'notified');

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = 'users'::regclass AND relkind IN ('r', 'p')) THEN
    ALTER TABLE alert_actions
      ADD CONSTRAINT alert_actions_actor FOREIGN KEY (actor_user_id) REFERENCES users (id);
    ALTER TABLE escalation_log
      ADD CONSTRAINT escalation_log_patient FOREIGN KEY (patient_id) REFERENCES users (id),
      ADD CONSTRAINT escalation_log_caregiver FOREIGN KEY (caregiver_id) REFERENCES users (id);
  END IF;
END
$$;

-- MARK: Rights

-- Who is excluded must not learn of it from what they would have been told.
DROP POLICY vigil_reader ON notification_queue;
CREATE POLICY vigil_reader ON notification_queue FOR SELECT TO vigil_reader USING (
  recipient_user_id = (SELECT vigil_viewer_id()) AND status_reason IS DISTINCT FROM 'excluded'
);

ALTER TABLE spent_notifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON spent_notifications TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON spent_notifications TO vigil_engine USING (TRUE);
GRANT SELECT, INSERT ON spent_notifications TO vigil_engine;

-- A family sees who of it has set an alert aside.
ALTER TABLE alert_actions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON alert_actions TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON alert_actions TO vigil_engine USING (TRUE);
CREATE POLICY vigil_reader ON alert_actions FOR SELECT TO vigil_reader
USING (EXISTS (SELECT FROM pattern_alert_state AS alert WHERE alert.id = alert_state_id));
GRANT SELECT, INSERT ON alert_actions TO vigil_engine;
GRANT SELECT ON alert_actions TO vigil_reader;

-- The person and the one who was called upon see that they were.
ALTER TABLE escalation_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON escalation_log TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON escalation_log TO vigil_engine USING (TRUE);
CREATE POLICY vigil_reader ON escalation_log FOR SELECT TO vigil_reader
USING ((SELECT vigil_viewer_id()) IN (patient_id, caregiver_id));
GRANT SELECT, INSERT, UPDATE ON escalation_log TO vigil_engine;
GRANT SELECT ON escalation_log TO vigil_reader;

-- Old rows leave the queues; their ids stay behind.
GRANT DELETE ON notification_queue, held_notifications, shadow_notification_queue TO vigil_engine;
