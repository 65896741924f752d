-- Fails where two profiles have an alert of the same series and day: neither is Vigil's to delete.

-- The functions below keep the search_path of this moment.
DO $$
BEGIN
  PERFORM set_config('search_path', format('%I, pg_temp', current_schema()), TRUE);
END
$$;

CREATE OR REPLACE FUNCTION get_family_pattern_alerts(family_id uuid, viewer uuid, day date)
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
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'viewer_is_accepted_member';
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
    AND (alert.snooze_until IS NULL OR alert.snooze_until <= get_family_pattern_alerts.day)
  ORDER BY alert.current_level DESC, alert.active_since, alert.id;
END
$$;

ALTER TABLE batch_runs
  DROP COLUMN is_silent,
  DROP CONSTRAINT batch_runs_counts_not_negative;
DROP TABLE database_profile;

ALTER TABLE pattern_alert_state
  DROP CONSTRAINT pattern_alert_state_natural_key,
  DROP CONSTRAINT pattern_alert_state_values_in_range,
  ADD CONSTRAINT pattern_alert_state_natural_key
    UNIQUE (user_id, metric_type, pattern_type, active_since),
  DROP CONSTRAINT pattern_alert_state_resolution_reason_known;
UPDATE pattern_alert_state SET resolution_reason = 'superseded'
WHERE resolution_reason = 'profile_changed';
ALTER TABLE pattern_alert_state
  ADD CONSTRAINT pattern_alert_state_resolution_reason_known CHECK (
    resolution_reason IN ('recovered', 'superseded', 'no_data', 'rebased', 'retracted')
  );

DROP INDEX pattern_alert_state_one_active;
CREATE UNIQUE INDEX pattern_alert_state_one_active
ON pattern_alert_state (user_id, metric_type, pattern_type)
WHERE episode_status = 'active';

ALTER TABLE pattern_alert_state DROP COLUMN profile;
