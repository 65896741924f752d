-- Nobody's functions but the server's and Vigil's are called, and a backfill changes nothing that decides
-- whether people are told.

-- MARK: Functions

-- The same as before, but that they find all names in the server's catalogue and in the schema that they
-- say. A function or operator that fits its arguments exactly is preferred to one of pg_catalog that takes
-- any array or element, and others may be able to create one in a schema that is searched.

-- The person on whose behalf an app reads; NULL where app.current_user_id is missing or no UUID.
CREATE OR REPLACE FUNCTION {{schema}}.vigil_viewer_id() RETURNS uuid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE
    WHEN viewer ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN viewer::uuid
  END
  FROM current_setting('app.current_user_id', TRUE) AS setting (viewer)
$$;

-- The accepted members of the families in which the viewer is one of them.
--
-- SECURITY DEFINER, because the policy of family_members asks it: under the rights of the reader the
-- policy would ask itself without end, and a view in place of the table is not the reader's to read.
-- It takes no argument, so that nobody can ask it on behalf of another.
CREATE OR REPLACE FUNCTION {{schema}}.vigil_visible_members()
RETURNS TABLE (family_id uuid, user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT member.family_id, member.user_id
  FROM {{schema}}.family_members AS own
  JOIN {{schema}}.family_members AS member ON member.family_id = own.family_id
  WHERE own.user_id = {{schema}}.vigil_viewer_id()
    AND own.invite_status = 'accepted'
    AND member.invite_status = 'accepted'
$$;

-- The viewer and the accepted members of the viewer's families.
CREATE OR REPLACE FUNCTION {{schema}}.vigil_visible_users() RETURNS SETOF uuid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT viewer FROM {{schema}}.vigil_viewer_id() AS viewer WHERE viewer IS NOT NULL
  UNION
  SELECT user_id FROM {{schema}}.vigil_visible_members()
$$;

-- SECURITY DEFINER, because a view or a table of an app in place of medications is not the reader's to
-- read. They take no argument, so that nobody can ask them on behalf of another.
CREATE OR REPLACE FUNCTION {{schema}}.vigil_visible_medications() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id FROM {{schema}}.medications
  WHERE user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
$$;

CREATE OR REPLACE FUNCTION {{schema}}.vigil_visible_schedules() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id FROM {{schema}}.schedules
  WHERE medication_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_medications()))
$$;

-- The alerts of the family's other members that call for attention on a day: active, of the database's own
-- profile, not dismissed, not snoozed past that day, the highest level first and of one level the longest.
--
-- SECURITY INVOKER, so that row-level security of the caller lies beneath whatever is written here,
-- and because only so the function knows who calls it. Roles that see every row ask on behalf of
-- anybody; all others only for the person of app.current_user_id, whose families
-- vigil_visible_members() knows even where family_members is a view that they cannot read. A family
-- that there is not has no members: nobody learns which families exist.
CREATE OR REPLACE FUNCTION {{schema}}.get_family_pattern_alerts(
  family_id uuid, viewer uuid, day date
)
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
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  members uuid[];
BEGIN
  IF EXISTS (
    SELECT FROM pg_roles AS trusted
    WHERE (
        trusted.rolname IN ('vigil_engine', 'vigil_backfill')
        OR trusted.oid = (
          SELECT relowner FROM pg_class
          WHERE relname = 'pattern_alert_state'
            AND relnamespace = quote_ident({{schema_name}})::regnamespace
        )
      )
      AND pg_has_role(trusted.oid, 'USAGE')
  ) THEN
    SELECT array_agg(member.user_id) INTO members
    FROM {{schema}}.family_members AS member
    WHERE member.family_id = get_family_pattern_alerts.family_id
      AND member.invite_status = 'accepted';
  ELSIF viewer = {{schema}}.vigil_viewer_id() THEN
    SELECT array_agg(member.user_id) INTO members
    FROM {{schema}}.vigil_visible_members() AS member
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
  FROM {{schema}}.pattern_alert_state AS alert
  WHERE alert.user_id = ANY (members)
    AND alert.user_id <> viewer
    AND alert.episode_status = 'active'
    AND NOT EXISTS (
      SELECT FROM {{schema}}.database_profile AS own
      WHERE own.part = 'patterns' AND own.profile <> alert.profile
    )
    AND alert.dismissed_at IS NULL
    AND (alert.snooze_until IS NULL OR alert.snooze_until <= get_family_pattern_alerts.day)
  ORDER BY alert.current_level DESC, alert.active_since, alert.id;
END
$$;

-- The same today, in UTC. Replaced and not dropped, because an app may have built on it.
CREATE OR REPLACE FUNCTION {{schema}}.get_family_pattern_alerts(family_id uuid, viewer uuid)
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
LANGUAGE sql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
  SELECT * FROM {{schema}}.get_family_pattern_alerts(
    family_id, viewer, (now() AT TIME ZONE 'UTC')::date)
$$;

-- What a person is shown of the trends of the family's other members on an evaluated day (without one:
-- on the last that was evaluated of each, unless that is more than three days before that of another
-- member): the first attention insight of each of at most two members, or else the first good news.
-- Nothing while there are pattern alerts today.
--
-- Who has an insight on a day had scores enough, and recent ones: nobody else has one.
--
-- SECURITY INVOKER, and with the rights and refusals of get_family_pattern_alerts, which is asked
-- first.
CREATE OR REPLACE FUNCTION {{schema}}.family_insights(
  family_id uuid, viewer uuid, day date, today date
)
RETURNS TABLE (
  id uuid,
  user_id uuid,
  pillar text,
  insight_date date,
  rule text,
  severity text,
  recent_mean double precision,
  baseline_mean double precision,
  -- A fraction of the baseline; NULL where the baseline is 0.
  change_fraction double precision,
  coverage_days integer,
  confidence double precision,
  slope_per_day double precision,
  slope_lower double precision,
  slope_upper double precision
)
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  members uuid[];
BEGIN
  PERFORM FROM {{schema}}.get_family_pattern_alerts(
    family_insights.family_id, family_insights.viewer, family_insights.today);
  IF FOUND THEN RETURN; END IF;

  IF EXISTS (
    SELECT FROM pg_roles AS trusted
    WHERE (
        trusted.rolname IN ('vigil_engine', 'vigil_backfill')
        OR trusted.oid = (
          SELECT relowner FROM pg_class
          WHERE relname = 'trend_insights'
            AND relnamespace = quote_ident({{schema_name}})::regnamespace
        )
      )
      AND pg_has_role(trusted.oid, 'USAGE')
  ) THEN
    SELECT array_agg(member.user_id) INTO members
    FROM {{schema}}.family_members AS member
    WHERE member.family_id = family_insights.family_id AND member.invite_status = 'accepted';
  ELSE
    SELECT array_agg(member.user_id) INTO members
    FROM {{schema}}.vigil_visible_members() AS member
    WHERE member.family_id = family_insights.family_id;
  END IF;

  RETURN QUERY
  WITH evaluated AS (
    SELECT coverage.user_id AS member, coverage.evaluated_on AS on_day
    FROM {{schema}}.trend_coverage AS coverage WHERE coverage.user_id = ANY (members)
  ), asked AS (
    SELECT evaluated.member, evaluated.on_day FROM evaluated
    WHERE family_insights.day IS NULL
      AND evaluated.on_day >= (SELECT max(newest.on_day) - 3 FROM evaluated AS newest)
    UNION ALL
    SELECT one.member, family_insights.day FROM unnest(members) AS one (member)
    WHERE family_insights.day IS NOT NULL
  ), candidate AS (
    SELECT
      insight.*,
      row_number() OVER (
        PARTITION BY insight.user_id, insight.severity
        ORDER BY array_position(
          ARRAY['sleep', 'movement', 'stress', 'adherence'], insight.pillar)
      ) AS place
    FROM asked
    JOIN {{schema}}.trend_insights AS insight
      ON insight.user_id = asked.member AND insight.insight_date = asked.on_day
    WHERE insight.user_id <> family_insights.viewer
      AND insight.suppressed_reason IS NULL
      AND insight.rule IN (
        'low_streak', 'drop_vs_baseline', 'rebound', 'declining_trend', 'improving_trend')
  ), chosen AS (
    SELECT
      candidate.*,
      rank() OVER (ORDER BY candidate.severity <> 'attention') AS preference,
      row_number() OVER (PARTITION BY candidate.severity ORDER BY candidate.user_id) AS turn
    FROM candidate WHERE candidate.place = 1
  )
  SELECT
    chosen.id, chosen.user_id, chosen.pillar, chosen.insight_date, chosen.rule, chosen.severity,
    chosen.recent_mean, chosen.baseline_mean, chosen.change_fraction, chosen.coverage_days,
    chosen.confidence, chosen.slope_per_day, chosen.slope_lower, chosen.slope_upper
  FROM chosen
  WHERE chosen.preference = 1
    AND chosen.turn <= CASE chosen.severity WHEN 'attention' THEN 2 ELSE 1 END
  ORDER BY chosen.user_id;
END
$$;

-- The same of the last evaluated days, today in UTC.
CREATE OR REPLACE FUNCTION {{schema}}.family_insights(family_id uuid, viewer uuid)
RETURNS TABLE (
  id uuid,
  user_id uuid,
  pillar text,
  insight_date date,
  rule text,
  severity text,
  recent_mean double precision,
  baseline_mean double precision,
  -- A fraction of the baseline; NULL where the baseline is 0.
  change_fraction double precision,
  coverage_days integer,
  confidence double precision,
  slope_per_day double precision,
  slope_lower double precision,
  slope_upper double precision
)
LANGUAGE sql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
  SELECT * FROM {{schema}}.family_insights(
    family_id, viewer, NULL, (now() AT TIME ZONE 'UTC')::date)
$$;

-- MARK: Who began a run

-- The login, so that a backfill changes runs of its own only; NULL for runs before this.
ALTER TABLE {{schema}}.batch_runs ADD COLUMN begun_by name;
ALTER TABLE {{schema}}.batch_runs ALTER COLUMN begun_by SET DEFAULT CURRENT_USER;

DROP POLICY vigil_engine ON {{schema}}.batch_runs;
CREATE POLICY vigil_engine ON {{schema}}.batch_runs TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.batch_runs FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_backfill_insert ON {{schema}}.batch_runs FOR INSERT TO vigil_backfill
WITH CHECK (begun_by = CURRENT_USER AND mode = 'shadow');
CREATE POLICY vigil_backfill_update ON {{schema}}.batch_runs FOR UPDATE TO vigil_backfill
USING (begun_by = CURRENT_USER AND mode = 'shadow');

DROP POLICY vigil_engine ON {{schema}}.run_shards;
CREATE POLICY vigil_engine ON {{schema}}.run_shards TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.run_shards FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_backfill_insert ON {{schema}}.run_shards FOR INSERT TO vigil_backfill
WITH CHECK (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));
CREATE POLICY vigil_backfill_update ON {{schema}}.run_shards FOR UPDATE TO vigil_backfill
USING (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));

-- Batches are written once and forgotten, never changed.
DROP POLICY vigil_engine ON {{schema}}.batch_checkpoints;
CREATE POLICY vigil_engine ON {{schema}}.batch_checkpoints TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.batch_checkpoints
FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_backfill_insert ON {{schema}}.batch_checkpoints FOR INSERT TO vigil_backfill
WITH CHECK (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));
CREATE POLICY vigil_backfill_delete ON {{schema}}.batch_checkpoints FOR DELETE TO vigil_backfill
USING (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));
REVOKE UPDATE ON {{schema}}.batch_checkpoints FROM vigil_engine, vigil_backfill;

-- MARK: What a backfill may change

-- Not whom an alert is of and since when, not what people have said of it, and not what they were told.
REVOKE UPDATE ON {{schema}}.pattern_alert_state FROM vigil_backfill;
GRANT UPDATE (
  episode_status, last_evaluated_date, consecutive_true_days, current_level, severity,
  shadow_notified_level, baseline_start, baseline_end, baseline_days, baseline_value, recent_start,
  recent_end, recent_value, deviation_percent, resolved_on, resolution_reason, thresholds_version,
  thresholds_digest, run_id, computed_at, updated_at
) ON {{schema}}.pattern_alert_state TO vigil_backfill;

-- A row that is found again gets the run that has found it.
REVOKE UPDATE ON {{schema}}.quarantined_rows FROM vigil_engine, vigil_backfill;
GRANT UPDATE (run_id) ON {{schema}}.quarantined_rows TO vigil_engine, vigil_backfill;
