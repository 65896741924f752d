-- What detection reads of persons, families, daily metrics and exercise.
--
-- Where the data lie in other tables, an operator creates views of these names before migrating. Vigil
-- reads such a view as it is and never changes it. `alert_recipient_exclusions` may be a table of an
-- app, too.

-- MARK: Tables

-- Returns whether there is no relation of this name yet; an error where the relation that there is
-- cannot stand in for the input.
CREATE FUNCTION {{schema}}.vigil_needs_input(input text, may_be_table boolean) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  kind "char";
BEGIN
  SELECT relkind INTO kind FROM pg_class
  WHERE oid = to_regclass(format('%I.%I', {{schema_name}}, input));
  IF kind IS NULL THEN RETURN TRUE; END IF;
  IF kind IN ('v', 'm', 'f') OR may_be_table AND kind IN ('r', 'p') THEN RETURN FALSE; END IF;
  IF may_be_table THEN
    RAISE EXCEPTION 'the schema % has %, which is neither a table nor a view',
      quote_ident({{schema_name}}), quote_ident(input)
      USING ERRCODE = 'duplicate_table', HINT = 'give it another name';
  END IF;
  RAISE EXCEPTION 'the schema % has %, which Vigil did not make',
    quote_ident({{schema_name}}), quote_ident(input)
    USING ERRCODE = 'duplicate_table', HINT = format(
      'migrate a schema of its own (--schema NAME); to have Vigil read this data, create a view '
      'NAME.%I of it there before', input);
END
$$;

DO $$
DECLARE
  made text[] := '{}';
  input text;
  fk_column text;
  fk_name text;
BEGIN
  IF {{schema}}.vigil_needs_input('users', FALSE) THEN
    made := made || 'users'::text;
    CREATE TABLE {{schema}}.users (
      id uuid PRIMARY KEY,
      external_id text,
      email text,
      display_name text,
      birth_date date,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT users_birth_date_is_date CHECK (
        birth_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
      )
    );

    COMMENT ON TABLE {{schema}}.users IS
      'Persons. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.users.id IS
      'The person. Other tables call it user_id.';
    COMMENT ON COLUMN {{schema}}.users.external_id IS
      'The id of the person in the app, such as a number. Reports show it in place of the UUID.';
    COMMENT ON COLUMN {{schema}}.users.email IS
      'E-mail address. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.users.display_name IS
      'Name that the app shows. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.users.birth_date IS
      'Day of birth. Scores depend on the age; without it a person counts as middle-aged.';
    COMMENT ON COLUMN {{schema}}.users.created_at IS
      'When the row was added.';
    COMMENT ON COLUMN {{schema}}.users.updated_at IS
      'When the row was last changed.';
  END IF;

  IF {{schema}}.vigil_needs_input('user_profiles', FALSE) THEN
    made := made || 'user_profiles'::text;
    CREATE TABLE {{schema}}.user_profiles (
      user_id uuid PRIMARY KEY,
      timezone text,
      notify_in_app boolean,
      notify_push boolean,
      notify_email boolean,
      notify_call boolean,
      champion_notify_email boolean,
      champion_notify_sms boolean,
      is_champion boolean,
      quiet_hours_start time,
      quiet_hours_end time,
      quiet_hours_apply_critical boolean,
      CONSTRAINT user_profiles_quiet_hours_are_times CHECK (
        quiet_hours_start < TIME '24:00'
        AND quiet_hours_start = date_trunc('minute', quiet_hours_start)::time
        AND quiet_hours_end < TIME '24:00'
        AND quiet_hours_end = date_trunc('minute', quiet_hours_end)::time
      )
    );

    COMMENT ON TABLE {{schema}}.user_profiles IS
      'How a person wants to be notified. Input: an import or the app writes it. NULL means that '
      'the person has not chosen and the default holds.';
    COMMENT ON COLUMN {{schema}}.user_profiles.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.user_profiles.timezone IS
      'IANA time zone of the quiet hours, such as Europe/Madrid. Default: UTC.';
    COMMENT ON COLUMN {{schema}}.user_profiles.notify_in_app IS
      'Whether the person is notified in the app. Default: true.';
    COMMENT ON COLUMN {{schema}}.user_profiles.notify_push IS
      'Whether the person is notified by push message. Default: false; true without a profile.';
    COMMENT ON COLUMN {{schema}}.user_profiles.notify_email IS
      'Whether the person is notified by e-mail. Default: false.';
    COMMENT ON COLUMN {{schema}}.user_profiles.notify_call IS
      'Whether the person is called by telephone about what cannot wait: critical notifications, and calls upon them as '
      'a caregiver. Default: false.';
    COMMENT ON COLUMN {{schema}}.user_profiles.champion_notify_email IS
      'Whether a champion is notified by e-mail. Default: true.';
    COMMENT ON COLUMN {{schema}}.user_profiles.champion_notify_sms IS
      'Whether a champion is notified by SMS. Default: false.';
    COMMENT ON COLUMN {{schema}}.user_profiles.is_champion IS
      'Whether the person is the champion of a family and has the two channels of champions. '
      'Default: false.';
    COMMENT ON COLUMN {{schema}}.user_profiles.quiet_hours_start IS
      'When the quiet hours begin, in whole minutes of local time. Default: 22:00.';
    COMMENT ON COLUMN {{schema}}.user_profiles.quiet_hours_end IS
      'When the quiet hours end, in whole minutes of local time. Default: 07:00.';
    COMMENT ON COLUMN {{schema}}.user_profiles.quiet_hours_apply_critical IS
      'Whether critical notifications wait for the end of the quiet hours, too. Default: false.';
  END IF;

  IF {{schema}}.vigil_needs_input('family_members', FALSE) THEN
    made := made || 'family_members'::text;
    CREATE TABLE {{schema}}.family_members (
      family_id uuid NOT NULL,
      user_id uuid NOT NULL,
      role text NOT NULL,
      invite_status text NOT NULL,
      PRIMARY KEY (family_id, user_id),
      CONSTRAINT family_members_role_known CHECK (
        role IN ('superadmin', 'admin', 'member', 'responder', 'dependent')
      ),
      CONSTRAINT family_members_invite_status_known CHECK (
        invite_status IN ('pending', 'accepted', 'declined')
      )
    );

    CREATE INDEX family_members_by_user ON {{schema}}.family_members (user_id);

    COMMENT ON TABLE {{schema}}.family_members IS
      'Members of families. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.family_members.family_id IS
      'The family.';
    COMMENT ON COLUMN {{schema}}.family_members.user_id IS
      'The member.';
    COMMENT ON COLUMN {{schema}}.family_members.role IS
      'superadmin, admin, member, responder or dependent. Alerts of a person go to superadmins, admins and responders. A '
      'dependent is looked after: they read nothing of the others.';
    COMMENT ON COLUMN {{schema}}.family_members.invite_status IS
      'pending, accepted or declined. Only accepted members are notified and see the others.';
  END IF;

  IF {{schema}}.vigil_needs_input('alert_recipient_exclusions', TRUE) THEN
    made := made || 'alert_recipient_exclusions'::text;
    CREATE TABLE {{schema}}.alert_recipient_exclusions (
      subject_user_id uuid NOT NULL,
      excluded_user_id uuid NOT NULL,
      PRIMARY KEY (subject_user_id, excluded_user_id),
      CONSTRAINT alert_recipient_exclusions_are_of_others CHECK (
        subject_user_id <> excluded_user_id
      )
    );

    COMMENT ON TABLE {{schema}}.alert_recipient_exclusions IS
      'Members who are not notified about a person and read nothing of that person, whatever their role in the '
      'family. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.alert_recipient_exclusions.subject_user_id IS
      'The person who excludes the other.';
    COMMENT ON COLUMN {{schema}}.alert_recipient_exclusions.excluded_user_id IS
      'The member who is not notified, reads nothing of the person, and cannot read this row.';
  END IF;

  IF {{schema}}.vigil_needs_input('wearable_daily_metrics', FALSE) THEN
    made := made || 'wearable_daily_metrics'::text;
    CREATE TABLE {{schema}}.wearable_daily_metrics (
      user_id uuid NOT NULL,
      metric_date date NOT NULL,
      source text COLLATE "C" NOT NULL,
      steps double precision,
      sleep_minutes double precision,
      hrv_ms double precision,
      resting_hr double precision,
      sleep_efficiency_pct double precision,
      movement_minutes double precision,
      deep_sleep_minutes double precision,
      rem_sleep_minutes double precision,
      light_sleep_minutes double precision,
      awake_minutes double precision,
      active_calories double precision,
      breathing_rate double precision,
      spo2_avg_pct double precision,
      skin_temperature_c double precision,
      worn_minutes double precision,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, metric_date, source),
      CONSTRAINT wearable_daily_metrics_date_is_date CHECK (
        metric_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
      ),
      CONSTRAINT wearable_daily_metrics_source_not_empty CHECK (source <> '')
    );

    COMMENT ON TABLE {{schema}}.wearable_daily_metrics IS
      'Values of a person, a day and a source. Input: an import or the app writes it. A metric that '
      'was not measured is NULL.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.metric_date IS
      'The day, in the local time of the person.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.source IS
      'The device or service that measured, such as fitbit.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.steps IS
      'Steps of the day.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.sleep_minutes IS
      'Time asleep, in minutes.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.hrv_ms IS
      'Heart rate variability, in milliseconds.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.resting_hr IS
      'Resting heart rate, in beats a minute.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.sleep_efficiency_pct IS
      'Time asleep as a share of the time in bed, in percent.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.movement_minutes IS
      'Time in movement, in minutes.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.deep_sleep_minutes IS
      'Deep sleep, in minutes.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.rem_sleep_minutes IS
      'REM sleep, in minutes.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.light_sleep_minutes IS
      'Light sleep, in minutes.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.awake_minutes IS
      'Time awake during the night, in minutes.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.active_calories IS
      'Energy spent in activity, in kilocalories.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.breathing_rate IS
      'Breaths a minute.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.spo2_avg_pct IS
      'Mean oxygen saturation of the blood, in percent.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.skin_temperature_c IS
      'Mean temperature of the skin while asleep, in degrees Celsius.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.worn_minutes IS
      'How long the device was worn, in minutes; NULL where it does not say.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.created_at IS
      'When the row was added.';
    COMMENT ON COLUMN {{schema}}.wearable_daily_metrics.updated_at IS
      'When the row was last changed. A run finds late and corrected data by it.';
  END IF;

  IF {{schema}}.vigil_needs_input('exercise_sessions', FALSE) THEN
    made := made || 'exercise_sessions'::text;
    CREATE TABLE {{schema}}.exercise_sessions (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      metric_date date NOT NULL,
      activity_type_name text,
      started_at timestamptz,
      ended_at timestamptz,
      CONSTRAINT exercise_sessions_date_is_date CHECK (
        metric_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
      )
    );

    CREATE INDEX exercise_sessions_by_user_and_date
    ON {{schema}}.exercise_sessions (user_id, metric_date);

    COMMENT ON TABLE {{schema}}.exercise_sessions IS
      'Exercise of persons. Input: an import or the app writes it. A day with a session can be '
      'judged in another way than a day without.';
    COMMENT ON COLUMN {{schema}}.exercise_sessions.id IS
      'The session.';
    COMMENT ON COLUMN {{schema}}.exercise_sessions.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.exercise_sessions.metric_date IS
      'The day to which the session counts, in the local time of the person.';
    COMMENT ON COLUMN {{schema}}.exercise_sessions.activity_type_name IS
      'Kind of exercise, such as Running.';
    COMMENT ON COLUMN {{schema}}.exercise_sessions.started_at IS
      'When the session began.';
    COMMENT ON COLUMN {{schema}}.exercise_sessions.ended_at IS
      'When the session ended.';
  END IF;

  IF {{schema}}.vigil_needs_input('check_ins', FALSE) THEN
    made := made || 'check_ins'::text;
    CREATE TABLE {{schema}}.check_ins (
      user_id uuid NOT NULL,
      checked_in_at timestamptz NOT NULL,
      kind text NOT NULL DEFAULT 'manual',
      PRIMARY KEY (user_id, checked_in_at),
      CONSTRAINT check_ins_time_is_instant CHECK (
        checked_in_at >= TIMESTAMPTZ '0001-01-01 00:00:00Z'
        AND checked_in_at < TIMESTAMPTZ '10000-01-01 00:00:00Z'
      ),
      CONSTRAINT check_ins_kind_known CHECK (kind IN ('manual', 'automatic', 'responder'))
    );

    COMMENT ON TABLE {{schema}}.check_ins IS
      'When persons checked in: a sign of life. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.check_ins.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.check_ins.checked_in_at IS
      'When the person checked in.';
    COMMENT ON COLUMN {{schema}}.check_ins.kind IS
      'manual, automatic or responder (another person asked). All count alike.';
  END IF;

  IF {{schema}}.vigil_needs_input('check_in_plans', FALSE) THEN
    made := made || 'check_in_plans'::text;
    CREATE TABLE {{schema}}.check_in_plans (
      user_id uuid PRIMARY KEY,
      interval_minutes integer NOT NULL,
      grace_minutes integer NOT NULL DEFAULT 0,
      starts_at timestamptz NOT NULL,
      reminder_minutes integer,
      CONSTRAINT check_in_plans_minutes_in_range CHECK (
        interval_minutes BETWEEN 1 AND 5256000 AND grace_minutes BETWEEN 0 AND 5256000
      ),
      CONSTRAINT check_in_plans_reminder_in_interval CHECK (
        reminder_minutes > 0 AND reminder_minutes < interval_minutes
      ),
      CONSTRAINT check_in_plans_start_is_instant CHECK (
        starts_at >= TIMESTAMPTZ '0001-01-01 00:00:00Z'
        AND starts_at < TIMESTAMPTZ '10000-01-01 00:00:00Z'
      )
    );

    COMMENT ON TABLE {{schema}}.check_in_plans IS
      'How often persons are to check in. Input: an import or the app writes it. A person without a '
      'row need not.';
    COMMENT ON COLUMN {{schema}}.check_in_plans.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.check_in_plans.interval_minutes IS
      'Minutes from one check-in to the next, from 1 to 5,256,000.';
    COMMENT ON COLUMN {{schema}}.check_in_plans.grace_minutes IS
      'Minutes after the interval before a check-in is overdue, from 0 to 5,256,000.';
    COMMENT ON COLUMN {{schema}}.check_in_plans.starts_at IS
      'When the first interval begins; no check-in before it is due.';
    COMMENT ON COLUMN {{schema}}.check_in_plans.reminder_minutes IS
      'Minutes before the end of the interval at which the person is reminded; at least 1, and fewer than the interval has. '
      'NULL for no reminder.';
  END IF;

  IF {{schema}}.vigil_needs_input('sensitivity_overrides', FALSE) THEN
    made := made || 'sensitivity_overrides'::text;
    CREATE TABLE {{schema}}.sensitivity_overrides (
      user_id uuid NOT NULL,
      metric_type text NOT NULL,
      sensitivity text NOT NULL,
      PRIMARY KEY (user_id, metric_type),
      CONSTRAINT sensitivity_overrides_sensitivity_known CHECK (
        sensitivity IN ('off', 'lower', 'normal', 'higher')
      )
    );

    COMMENT ON TABLE {{schema}}.sensitivity_overrides IS
      'How readily changes of a person become alerts, where it is not as the profile says. Input: an import '
      'or the app writes it.';
    COMMENT ON COLUMN {{schema}}.sensitivity_overrides.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.sensitivity_overrides.metric_type IS
      'A metric of the profile, or combined, inactivity or check_in_overdue. Another has no effect.';
    COMMENT ON COLUMN {{schema}}.sensitivity_overrides.sensitivity IS
      'off (the metric is not followed), lower, normal or higher. Overdue check-ins know only off.';
  END IF;

  IF {{schema}}.vigil_needs_input('person_limits', FALSE) THEN
    made := made || 'person_limits'::text;
    CREATE TABLE {{schema}}.person_limits (
      user_id uuid NOT NULL,
      metric_type text NOT NULL,
      direction text NOT NULL,
      limit_value double precision NOT NULL,
      days integer NOT NULL DEFAULT 1,
      severity text NOT NULL DEFAULT 'attention',
      starts_on date NOT NULL,
      ends_on date NOT NULL,
      set_by text NOT NULL,
      note text,
      PRIMARY KEY (user_id, metric_type, direction, days, starts_on),
      CONSTRAINT person_limits_direction_known CHECK (direction IN ('below', 'above')),
      -- PostgreSQL orders NaN above infinity.
      CONSTRAINT person_limits_value_finite CHECK (abs(limit_value) < 'Infinity'),
      CONSTRAINT person_limits_value_possible CHECK ({{limit_is_possible}}),
      CONSTRAINT person_limits_days_possible CHECK (days BETWEEN 1 AND 7),
      CONSTRAINT person_limits_severity_known CHECK (severity IN ('watch', 'attention', 'critical')),
      -- A date column also takes infinity and other eras.
      CONSTRAINT person_limits_days_in_order CHECK (
        starts_on <= ends_on AND starts_on >= DATE '0001-01-01' AND ends_on <= DATE '9999-12-31'
      ),
      CONSTRAINT person_limits_set_by_named CHECK (btrim(set_by) <> '')
    );

    COMMENT ON TABLE {{schema}}.person_limits IS
      'Limits of values that a clinician has set for one person: values beyond one open an alert at once, without a '
      'baseline. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.person_limits.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.person_limits.metric_type IS
      'A metric of the profile that wearables measure, such as spo2_avg_pct. Another has no effect.';
    COMMENT ON COLUMN {{schema}}.person_limits.direction IS
      'below or above: the side of the limit that is bad.';
    COMMENT ON COLUMN {{schema}}.person_limits.limit_value IS
      'The limit, in the unit of the metric, and a value that days can have; a value that equals it is within it.';
    COMMENT ON COLUMN {{schema}}.person_limits.days IS
      'The values in a row beyond the limit that open an alert, from 1 to 7.';
    COMMENT ON COLUMN {{schema}}.person_limits.severity IS
      'The severity with which an alert opens: watch, attention or critical.';
    COMMENT ON COLUMN {{schema}}.person_limits.starts_on IS
      'The first day whose value counts.';
    COMMENT ON COLUMN {{schema}}.person_limits.ends_on IS
      'The last day whose value counts. An alert that is active then ends on the next day, where no other limit holds.';
    COMMENT ON COLUMN {{schema}}.person_limits.set_by IS
      'The name of who set the limit. No notification holds it.';
    COMMENT ON COLUMN {{schema}}.person_limits.note IS
      'Why it was set. No notification holds it.';
  END IF;

  IF {{schema}}.vigil_needs_input('do_not_disturb', FALSE) THEN
    made := made || 'do_not_disturb'::text;
    CREATE TABLE {{schema}}.do_not_disturb (
      user_id uuid NOT NULL,
      weekday integer NOT NULL,
      starts_at time NOT NULL,
      ends_at time NOT NULL,
      PRIMARY KEY (user_id, weekday, starts_at),
      CONSTRAINT do_not_disturb_weekday_known CHECK (weekday BETWEEN 0 AND 6),
      CONSTRAINT do_not_disturb_are_times CHECK (
        starts_at < TIME '24:00' AND starts_at = date_trunc('minute', starts_at)::time
        AND ends_at < TIME '24:00' AND ends_at = date_trunc('minute', ends_at)::time
      )
    );

    COMMENT ON TABLE {{schema}}.do_not_disturb IS
      'Hours of the week in which persons are not disturbed, besides their quiet hours. Input: an import '
      'or the app writes it.';
    COMMENT ON COLUMN {{schema}}.do_not_disturb.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.do_not_disturb.weekday IS
      'The day on which the hours begin, from 0, which is Sunday, to 6.';
    COMMENT ON COLUMN {{schema}}.do_not_disturb.starts_at IS
      'When they begin, in whole minutes of the time zone of the person''s profile.';
    COMMENT ON COLUMN {{schema}}.do_not_disturb.ends_at IS
      'When they end; the next day where it is not after starts_at.';
  END IF;

  -- A foreign key can refer to a table only, and users may be a view.
  IF 'users' = ANY (made) THEN
    FOR input, fk_column, fk_name IN VALUES
      ('user_profiles', 'user_id', 'user_profiles_user'),
      ('family_members', 'user_id', 'family_members_user'),
      ('alert_recipient_exclusions', 'subject_user_id', 'alert_recipient_exclusions_subject'),
      ('alert_recipient_exclusions', 'excluded_user_id', 'alert_recipient_exclusions_excluded'),
      ('wearable_daily_metrics', 'user_id', 'wearable_daily_metrics_user'),
      ('exercise_sessions', 'user_id', 'exercise_sessions_user'),
      ('check_ins', 'user_id', 'check_ins_user'),
      ('check_in_plans', 'user_id', 'check_in_plans_user'),
      ('sensitivity_overrides', 'user_id', 'sensitivity_overrides_user'),
      ('person_limits', 'user_id', 'person_limits_user'),
      ('do_not_disturb', 'user_id', 'do_not_disturb_user')
    LOOP
      CONTINUE WHEN input <> ALL (made);
      EXECUTE format(
        'ALTER TABLE %1$I.%2$I ADD CONSTRAINT %3$I FOREIGN KEY (%4$I) REFERENCES %1$I.users (id)'
        ' ON DELETE CASCADE',
        {{schema_name}}, input, fk_name, fk_column);
    END LOOP;
  END IF;

  -- Row-level security binds the owner too, who therefore has a policy. It also marks the tables that
  -- Vigil made, among those that an app may have made.
  FOREACH input IN ARRAY made LOOP
    EXECUTE format($sql$
      ALTER TABLE %1$I.%2$I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY vigil_owner ON %1$I.%2$I TO CURRENT_USER USING (TRUE);
    $sql$, {{schema_name}}, input);
  END LOOP;
END
$$;

DROP FUNCTION {{schema}}.vigil_needs_input(text, boolean);

-- MARK: Who a viewer is, and whom they may see

CREATE FUNCTION {{schema}}.vigil_viewer_id() RETURNS uuid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE
    WHEN viewer ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN viewer::uuid
  END
  FROM current_setting('app.current_user_id', TRUE) AS setting (viewer)
$$;

COMMENT ON FUNCTION {{schema}}.vigil_viewer_id() IS
  'Returns the person on whose behalf an app reads; NULL where app.current_user_id is missing or no '
  'UUID.';

-- SECURITY DEFINER, because the policy of family_members calls it. With the rights of the reader the
-- policy would call itself without end, and the reader may not read a view in place of the table.
-- It takes no argument, so that no login can ask on behalf of another.
CREATE FUNCTION {{schema}}.vigil_visible_members()
RETURNS TABLE (family_id uuid, user_id uuid, is_readable boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT member.family_id, member.user_id, member.user_id = own.user_id OR own.role::text <> 'dependent'
  FROM {{schema}}.family_members AS own
  JOIN {{schema}}.family_members AS member ON member.family_id = own.family_id
  WHERE own.user_id = {{schema}}.vigil_viewer_id()
    AND own.invite_status = 'accepted'
    AND member.invite_status = 'accepted'
    AND (
      member.user_id = own.user_id
      OR NOT EXISTS (
        SELECT FROM {{schema}}.alert_recipient_exclusions AS exclusion
        WHERE exclusion.subject_user_id = member.user_id AND exclusion.excluded_user_id = own.user_id
      )
    )
$$;

COMMENT ON FUNCTION {{schema}}.vigil_visible_members() IS
  'Returns the accepted members of the families in which the viewer is one of them, without those who have excluded '
  'the viewer; and whether the viewer may read of them, which a dependent of the family may not.';

CREATE FUNCTION {{schema}}.vigil_visible_users() RETURNS SETOF uuid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT viewer FROM {{schema}}.vigil_viewer_id() AS viewer WHERE viewer IS NOT NULL
  UNION
  SELECT user_id FROM {{schema}}.vigil_visible_members() WHERE is_readable
$$;

COMMENT ON FUNCTION {{schema}}.vigil_visible_users() IS
  'Returns the viewer and the accepted members of the viewer''s families, other than those in which the viewer is a '
  'dependent, who have not excluded the viewer.';

REVOKE ALL ON FUNCTION
  {{schema}}.vigil_viewer_id(), {{schema}}.vigil_visible_members(), {{schema}}.vigil_visible_users()
FROM PUBLIC;
