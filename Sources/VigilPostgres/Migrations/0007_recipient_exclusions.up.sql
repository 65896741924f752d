-- Whom somebody (the subject) does not want to be told about them, whatever their role in the family.
--
-- An input: where the schema has a table or a view of this name, that is read as it is. What a family
-- reads of its alerts gets the day as an argument, so that both databases can be asked the same.

DO $$
DECLARE
  input constant text := 'alert_recipient_exclusions';
  kind "char";
  missing text;
BEGIN
  SELECT relkind INTO kind FROM pg_class
  WHERE relname = input AND relnamespace = quote_ident(current_schema())::regnamespace;

  IF kind IS NULL THEN
    CREATE TABLE alert_recipient_exclusions (
      subject_user_id uuid NOT NULL,
      excluded_user_id uuid NOT NULL,
      PRIMARY KEY (subject_user_id, excluded_user_id),
      CONSTRAINT alert_recipient_exclusions_are_of_others CHECK (
        subject_user_id <> excluded_user_id
      )
    );

    -- A foreign key can refer to a table only, and users may be a view.
    IF EXISTS (SELECT FROM pg_class WHERE oid = 'users'::regclass AND relkind IN ('r', 'p')) THEN
      ALTER TABLE alert_recipient_exclusions
        ADD CONSTRAINT alert_recipient_exclusions_subject
          FOREIGN KEY (subject_user_id) REFERENCES users (id),
        ADD CONSTRAINT alert_recipient_exclusions_excluded
          FOREIGN KEY (excluded_user_id) REFERENCES users (id);
    END IF;

    -- Who is excluded must not learn of it, not even within the family.
    ALTER TABLE alert_recipient_exclusions
      ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY vigil_owner ON alert_recipient_exclusions TO CURRENT_USER USING (TRUE);
    CREATE POLICY vigil_engine ON alert_recipient_exclusions
      FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
    CREATE POLICY vigil_reader ON alert_recipient_exclusions
      FOR SELECT TO vigil_reader USING (subject_user_id = (SELECT vigil_viewer_id()));
    GRANT SELECT ON alert_recipient_exclusions TO vigil_engine, vigil_backfill, vigil_reader;
  ELSIF kind NOT IN ('r', 'p', 'v', 'm', 'f') THEN
    RAISE EXCEPTION 'the schema % has %, which is neither a table nor a view',
      quote_ident(current_schema()), quote_ident(input)
      USING ERRCODE = 'duplicate_table', HINT = 'give it another name';
  ELSIF has_table_privilege(quote_ident(input), 'SELECT WITH GRANT OPTION') THEN
    -- Not to the reader: Vigil does not know which of its rows are whose to see.
    EXECUTE format('GRANT SELECT ON %I TO vigil_engine, vigil_backfill', input);
  END IF;

  -- What is another's to grant may have been granted before; what is missing is said all at once.
  SELECT string_agg(
    format('GRANT SELECT ON %I.%I TO %I', current_schema(), input, runtime_role), '; ')
  INTO missing
  FROM unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role
  WHERE NOT has_table_privilege(runtime_role, quote_ident(input), 'SELECT');
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of %I.%I must run: %s;', current_schema(), input, missing);
  END IF;
END
$$;

-- MARK: Reading alerts

-- The functions below keep the search_path of this moment.
DO $$
BEGIN
  PERFORM set_config('search_path', format('%I, pg_temp', current_schema()), TRUE);
END
$$;

-- The alerts of the family's other members that call for attention on a day: active, not dismissed, not
-- snoozed past that day, the highest level first and of one level the longest.
--
-- SECURITY INVOKER, so that row-level security of the caller lies beneath whatever is written here,
-- and because only so the function knows who calls it. Roles that see every row ask on behalf of
-- anybody; all others only for the person of app.current_user_id, whose families
-- vigil_visible_members() knows even where family_members is a view that they cannot read. A family
-- that there is not has no members: nobody learns which families exist.
CREATE FUNCTION get_family_pattern_alerts(family_id uuid, viewer uuid, day date)
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

REVOKE ALL ON FUNCTION get_family_pattern_alerts(uuid, uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION get_family_pattern_alerts(uuid, uuid, date)
TO vigil_engine, vigil_backfill, vigil_reader;

-- The same today, in UTC. Replaced and not dropped, because an app may have built on it.
CREATE OR REPLACE FUNCTION get_family_pattern_alerts(family_id uuid, viewer uuid)
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
LANGUAGE sql STABLE SECURITY INVOKER SET search_path FROM CURRENT AS $$
  SELECT * FROM get_family_pattern_alerts(family_id, viewer, (now() AT TIME ZONE 'UTC')::date)
$$;
