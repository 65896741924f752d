-- Which settings the rows of a database are made with, as part of what an alert is known by: two profiles
-- never write each other's rows.

ALTER TABLE pattern_alert_state ADD COLUMN profile text;
-- The table is written anew in one go, without old versions of its rows.
ALTER TABLE pattern_alert_state
  ALTER COLUMN profile TYPE text USING thresholds_version || '@' || left(thresholds_digest, 12),
  ALTER COLUMN profile SET NOT NULL,
  DROP CONSTRAINT pattern_alert_state_natural_key,
  ADD CONSTRAINT pattern_alert_state_natural_key
    UNIQUE (profile, user_id, metric_type, pattern_type, active_since),
  ADD CONSTRAINT pattern_alert_state_profile_names_thresholds CHECK (
    profile = thresholds_version || '@' || left(thresholds_digest, 12)
  ),
  -- Of what is no number PostgreSQL says that it is greater than infinity.
  ADD CONSTRAINT pattern_alert_state_values_in_range CHECK (
    consecutive_true_days <= 4000000
    AND baseline_days <= 4000000
    AND abs(baseline_value) < 'Infinity'
    AND abs(recent_value) < 'Infinity'
    AND abs(deviation_percent) < 'Infinity'
  ),
  DROP CONSTRAINT pattern_alert_state_resolution_reason_known,
  ADD CONSTRAINT pattern_alert_state_resolution_reason_known CHECK (
    resolution_reason IN (
      'recovered', 'superseded', 'no_data', 'rebased', 'retracted', 'profile_changed'
    )
  );

DROP INDEX pattern_alert_state_one_active;
CREATE UNIQUE INDEX pattern_alert_state_one_active
ON pattern_alert_state (profile, user_id, metric_type, pattern_type)
WHERE episode_status = 'active';

-- The settings files that the database's rows are made with; a run with others is refused.
CREATE TABLE database_profile (
  -- What of a run they decide about.
  part text PRIMARY KEY,
  profile text NOT NULL,
  version text NOT NULL,
  digest text NOT NULL,
  adopted_at timestamptz NOT NULL,
  -- Until a nightly run of everybody has succeeded for this day or a later one, runs notify nobody and count
  -- what is going on as told; NULL where that is over, and where the profile was the first.
  settles_on date,
  CONSTRAINT database_profile_part_known CHECK (part IN ('patterns', 'vitality')),
  CONSTRAINT database_profile_names_file CHECK (profile = version || '@' || left(digest, 12)),
  CONSTRAINT database_profile_settles_on_is_date CHECK (
    settles_on >= DATE '0001-01-01' AND settles_on <= DATE '9999-12-31'
  )
);

-- That of the active alerts, or else of the newest run. Where alerts of two profiles are active nothing is
-- recorded: the next run has to say which of them it is to be.
WITH going_on AS (
  SELECT
    profile, thresholds_version AS version, thresholds_digest AS digest, max(updated_at) AS at
  FROM pattern_alert_state WHERE episode_status = 'active'
  GROUP BY profile, thresholds_version, thresholds_digest
), newest AS (
  SELECT
    thresholds_version || '@' || left(thresholds_digest, 12) AS profile,
    thresholds_version AS version, thresholds_digest AS digest, started_at AS at
  FROM batch_runs WHERE parts LIKE '%patterns%'
  ORDER BY started_at DESC, id LIMIT 1
)
INSERT INTO database_profile (part, profile, version, digest, adopted_at)
SELECT 'patterns', profile, version, digest, at FROM going_on
WHERE (SELECT count(*) FROM going_on) = 1
UNION ALL
SELECT 'patterns', profile, version, digest, at FROM newest
WHERE NOT EXISTS (SELECT FROM going_on);

INSERT INTO database_profile (part, profile, version, digest, adopted_at)
SELECT
  'vitality', vitality_version || '@' || left(vitality_digest, 12), vitality_version,
  vitality_digest, started_at
FROM batch_runs WHERE vitality_version IS NOT NULL
ORDER BY started_at DESC, id LIMIT 1;

-- Whether a run notified nobody, because the profile had been switched.
ALTER TABLE batch_runs
  ADD COLUMN is_silent boolean NOT NULL DEFAULT FALSE,
  ADD CONSTRAINT batch_runs_counts_not_negative CHECK (
    least(
      persons, series, days_evaluated, rows_read, values_rejected, episodes_opened,
      episodes_escalated, episodes_resolved, notifications_enqueued, rows_changed,
      notifications_held, scores_changed, insights_found
    ) >= 0
  );

-- MARK: Rights

-- A backfill records the first profile of a database; to switch it would be to silence everybody.
ALTER TABLE database_profile ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON database_profile TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON database_profile TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON database_profile FOR SELECT TO vigil_reader USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON database_profile TO vigil_engine;
GRANT SELECT, INSERT ON database_profile TO vigil_backfill;
GRANT SELECT ON database_profile TO vigil_reader;

-- MARK: Reading alerts

-- The functions below keep the search_path of this moment.
DO $$
BEGIN
  PERFORM set_config('search_path', format('%I, pg_temp', current_schema()), TRUE);
END
$$;

-- As before, without the alerts of other profiles than the database's own.
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
    AND NOT EXISTS (
      SELECT FROM database_profile AS own
      WHERE own.part = 'patterns' AND own.profile <> alert.profile
    )
    AND alert.dismissed_at IS NULL
    AND (alert.snooze_until IS NULL OR alert.snooze_until <= get_family_pattern_alerts.day)
  ORDER BY alert.current_level DESC, alert.active_since, alert.id;
END
$$;
