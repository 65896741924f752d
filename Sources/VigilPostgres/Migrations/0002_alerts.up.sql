-- What a run leaves: one row an episode, and the notifications planned from them.

-- Every night updates the active episodes. Where the new version of a row finds room on its page no
-- index has to be touched: at 80 that is nine in ten after a few nights, at 100 hardly any.
CREATE TABLE pattern_alert_state (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  metric_type text NOT NULL,
  pattern_type text NOT NULL,
  episode_status text NOT NULL,
  active_since date NOT NULL,
  last_evaluated_date date NOT NULL,
  consecutive_true_days integer NOT NULL,
  current_level integer NOT NULL,
  severity text NOT NULL,
  last_notified_level integer,
  last_notified_at timestamptz,
  shadow_notified_level integer,
  -- The last day of the snooze.
  snooze_until date,
  dismissed_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  baseline_start date NOT NULL,
  baseline_end date NOT NULL,
  baseline_days integer NOT NULL,
  baseline_value double precision NOT NULL,
  recent_start date NOT NULL,
  recent_end date NOT NULL,
  recent_value double precision NOT NULL,
  -- A fraction of the baseline; NULL where the baseline is 0.
  deviation_percent double precision,
  resolved_on date,
  resolution_reason text,
  thresholds_version text NOT NULL,
  thresholds_digest text NOT NULL,
  run_id uuid NOT NULL,
  computed_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT pattern_alert_state_natural_key
    UNIQUE (user_id, metric_type, pattern_type, active_since),
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
    last_notified_level IN (3, 7, 14, 21) AND shadow_notified_level IN (3, 7, 14, 21)
  ),
  -- A date column also takes infinity and other eras.
  CONSTRAINT pattern_alert_state_dates_are_dates CHECK (
    least(active_since, baseline_start, recent_start, resolved_on, snooze_until)
      >= DATE '0001-01-01'
    AND greatest(last_evaluated_date, baseline_end, recent_end, resolved_on, snooze_until)
      <= DATE '9999-12-31'
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
    resolution_reason IN ('recovered', 'superseded', 'no_data', 'rebased', 'retracted')
  )
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX pattern_alert_state_one_active
ON pattern_alert_state (user_id, metric_type, pattern_type)
WHERE episode_status = 'active';

CREATE INDEX pattern_alert_state_by_status_and_level
ON pattern_alert_state (user_id, episode_status, current_level);

CREATE TABLE notification_queue (
  id uuid PRIMARY KEY,
  recipient_user_id uuid NOT NULL,
  member_user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  notification_type text NOT NULL,
  template_id text NOT NULL,
  channel text NOT NULL,
  payload jsonb NOT NULL,
  priority text NOT NULL,
  scheduled_for timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 3,
  last_attempt_at timestamptz,
  last_error text,
  sent_at timestamptz,
  dedupe_key text NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT notification_queue_channel_known CHECK (
    channel IN ('push', 'whatsapp', 'sms', 'email', 'in_app')
  ),
  CONSTRAINT notification_queue_priority_known CHECK (
    priority IN ('low', 'normal', 'high', 'critical')
  ),
  CONSTRAINT notification_queue_status_known CHECK (
    status IN ('pending', 'processing', 'sent', 'failed', 'cancelled', 'skipped')
  ),
  CONSTRAINT notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1)
);

CREATE INDEX notification_queue_pending ON notification_queue (scheduled_for, priority)
WHERE status = 'pending';

-- What a live run would have sent; the same columns.
CREATE TABLE shadow_notification_queue (
  id uuid PRIMARY KEY,
  recipient_user_id uuid NOT NULL,
  member_user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  notification_type text NOT NULL,
  template_id text NOT NULL,
  channel text NOT NULL,
  payload jsonb NOT NULL,
  priority text NOT NULL,
  scheduled_for timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 3,
  last_attempt_at timestamptz,
  last_error text,
  sent_at timestamptz,
  dedupe_key text NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT shadow_notification_queue_dedupe_key UNIQUE (dedupe_key),
  CONSTRAINT shadow_notification_queue_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT shadow_notification_queue_channel_known CHECK (
    channel IN ('push', 'whatsapp', 'sms', 'email', 'in_app')
  ),
  CONSTRAINT shadow_notification_queue_priority_known CHECK (
    priority IN ('low', 'normal', 'high', 'critical')
  ),
  CONSTRAINT shadow_notification_queue_status_known CHECK (
    status IN ('pending', 'processing', 'sent', 'failed', 'cancelled', 'skipped')
  ),
  CONSTRAINT shadow_notification_queue_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT shadow_notification_queue_attempts_in_range CHECK (attempts >= 0 AND max_attempts >= 1)
);

CREATE INDEX shadow_notification_queue_pending ON shadow_notification_queue (scheduled_for, priority)
WHERE status = 'pending';

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = 'users'::regclass AND relkind IN ('r', 'p')) THEN
    ALTER TABLE pattern_alert_state
      ADD CONSTRAINT pattern_alert_state_user FOREIGN KEY (user_id) REFERENCES users (id);
    ALTER TABLE notification_queue
      ADD CONSTRAINT notification_queue_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES users (id),
      ADD CONSTRAINT notification_queue_member FOREIGN KEY (member_user_id) REFERENCES users (id);
    ALTER TABLE shadow_notification_queue
      ADD CONSTRAINT shadow_notification_queue_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES users (id),
      ADD CONSTRAINT shadow_notification_queue_member
        FOREIGN KEY (member_user_id) REFERENCES users (id);
  END IF;
END
$$;

-- MARK: Rights

ALTER TABLE pattern_alert_state ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON pattern_alert_state TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON pattern_alert_state TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON pattern_alert_state FOR SELECT TO vigil_reader
USING (user_id = ANY (ARRAY(SELECT vigil_visible_users())));
GRANT SELECT, INSERT, UPDATE ON pattern_alert_state TO vigil_engine, vigil_backfill;
GRANT SELECT ON pattern_alert_state TO vigil_reader;

-- A backfill cannot notify, whatever it tries; a reader sees what is for them.
ALTER TABLE notification_queue ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON notification_queue TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON notification_queue TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON notification_queue FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON notification_queue FOR SELECT TO vigil_reader
USING (recipient_user_id = (SELECT vigil_viewer_id()));
GRANT SELECT, INSERT, UPDATE ON notification_queue TO vigil_engine;
GRANT SELECT ON notification_queue TO vigil_backfill, vigil_reader;

-- What was never sent is nobody's to read.
ALTER TABLE shadow_notification_queue ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON shadow_notification_queue TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON shadow_notification_queue TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON shadow_notification_queue TO vigil_engine, vigil_backfill;

-- MARK: Reading alerts

-- The function below keeps the search_path of this moment.
DO $$
BEGIN
  PERFORM set_config('search_path', format('%I, pg_temp', current_schema()), TRUE);
END
$$;

-- The alerts of the family's other members that call for attention now: active, not dismissed, not
-- snoozed (snooze_until is the last snoozed day, in UTC), the highest level first.
--
-- SECURITY INVOKER, so that row-level security of the caller lies beneath whatever is written here,
-- and because only so the function knows who calls it. Roles that see every row ask on behalf of
-- anybody; all others only for the person of app.current_user_id, whose families
-- vigil_visible_members() knows even where family_members is a view that they cannot read.
CREATE FUNCTION get_family_pattern_alerts(family_id uuid, viewer uuid)
RETURNS TABLE (
  id uuid,
  user_id uuid,
  metric_type text,
  pattern_type text,
  active_since date,
  last_evaluated_date date,
  consecutive_true_days integer,
  current_level integer,
  severity text,
  baseline_value double precision,
  recent_value double precision,
  -- A fraction of the baseline; NULL where the baseline is 0.
  deviation_percent double precision,
  acknowledged_at timestamptz,
  acknowledged_by uuid
)
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path FROM CURRENT AS $$
DECLARE
  members uuid[];
BEGIN
  IF EXISTS (
    SELECT FROM pg_roles AS trusted
    WHERE (
        trusted.rolname IN ('vigil_engine', 'vigil_backfill')
        OR trusted.oid = (SELECT relowner FROM pg_class WHERE oid = 'pattern_alert_state'::regclass)
      )
      AND pg_has_role(trusted.oid, 'USAGE')
  ) THEN
    SELECT array_agg(member.user_id) INTO members
    FROM family_members AS member
    WHERE member.family_id = get_family_pattern_alerts.family_id
      AND member.invite_status = 'accepted';
  ELSIF viewer = vigil_viewer_id() THEN
    SELECT array_agg(member.user_id) INTO members
    FROM vigil_visible_members() AS member
    WHERE member.family_id = get_family_pattern_alerts.family_id;
  ELSE
    RAISE EXCEPTION 'the viewer is not the person of app.current_user_id'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf alerts are read';
  END IF;

  IF (viewer = ANY (members)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the viewer is not an accepted member of this family'
      USING ERRCODE = 'insufficient_privilege';
  END IF;

  RETURN QUERY
  SELECT
    alert.id, alert.user_id, alert.metric_type, alert.pattern_type, alert.active_since,
    alert.last_evaluated_date, alert.consecutive_true_days, alert.current_level, alert.severity,
    alert.baseline_value, alert.recent_value, alert.deviation_percent, alert.acknowledged_at,
    alert.acknowledged_by
  FROM pattern_alert_state AS alert
  WHERE alert.user_id = ANY (members)
    AND alert.user_id <> viewer
    AND alert.episode_status = 'active'
    AND alert.dismissed_at IS NULL
    AND (alert.snooze_until < (now() AT TIME ZONE 'UTC')::date) IS NOT FALSE
  ORDER BY
    alert.current_level DESC, alert.user_id, alert.metric_type COLLATE "C",
    alert.pattern_type COLLATE "C";
END
$$;

REVOKE ALL ON FUNCTION get_family_pattern_alerts(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION get_family_pattern_alerts(uuid, uuid)
TO vigil_engine, vigil_backfill, vigil_reader;
