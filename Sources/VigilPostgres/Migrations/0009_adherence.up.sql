-- What people should take and what they took, and what Vigil makes of it.
--
-- The first five tables are inputs: where the schema has a table or a view of such a name, that is
-- read as it is. Whether an instant lies in the future is left to the import and the run: a constraint
-- that asks the clock does not hold when rows are restored.

-- Whether the input has to be made; an error where what has its name cannot be read.
CREATE FUNCTION vigil_needs_input(input text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
  kind "char";
BEGIN
  SELECT relkind INTO kind FROM pg_class
  WHERE relname = input AND relnamespace = quote_ident(current_schema())::regnamespace;
  IF kind IS NULL THEN RETURN TRUE; END IF;
  IF kind IN ('r', 'p', 'v', 'm', 'f') THEN RETURN FALSE; END IF;
  RAISE EXCEPTION 'the schema % has %, which is neither a table nor a view',
    quote_ident(current_schema()), quote_ident(input)
    USING ERRCODE = 'duplicate_table', HINT = 'give it another name';
END
$$;

-- MARK: Inputs

DO $$
DECLARE
  made text[] := '{}';
  input text;
  visible_rows text;
BEGIN
  IF vigil_needs_input('medications') THEN
    made := made || 'medications'::text;
    CREATE TABLE medications (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      name text NOT NULL,
      generic_name text,
      dosage text NOT NULL,
      form text NOT NULL,
      instructions text,
      prescribed_by text,
      purpose text,
      side_effects jsonb,
      color text,
      icon text,
      is_active boolean NOT NULL DEFAULT TRUE,
      start_date date NOT NULL,
      end_date date,
      refill_reminder_enabled boolean NOT NULL DEFAULT FALSE,
      refill_total_quantity integer,
      refill_remaining_quantity integer,
      refill_reminder_threshold integer,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      is_deleted boolean NOT NULL DEFAULT FALSE,
      CONSTRAINT medications_form_known CHECK (
        form IN (
          'pill', 'capsule', 'liquid', 'injection', 'topical', 'inhaler', 'drops', 'patch', 'other'
        )
      ),
      CONSTRAINT medications_color_is_hex CHECK (color ~ '^#[0-9A-Fa-f]{6}$'),
      CONSTRAINT medications_dates_are_dates CHECK (
        least(start_date, end_date) >= DATE '0001-01-01'
        AND greatest(start_date, end_date) <= DATE '9999-12-31'
      ),
      CONSTRAINT medications_dates_in_order CHECK (end_date >= start_date),
      CONSTRAINT medications_refill_in_order CHECK (
        refill_remaining_quantity <= refill_total_quantity
      )
    );

    CREATE INDEX medications_by_user ON medications (user_id);
  END IF;

  IF vigil_needs_input('schedules') THEN
    made := made || 'schedules'::text;
    CREATE TABLE schedules (
      id uuid PRIMARY KEY,
      medication_id uuid NOT NULL,
      type text NOT NULL,
      reference_timezone text NOT NULL,
      is_active boolean NOT NULL DEFAULT TRUE,
      start_date date NOT NULL,
      end_date date,
      time_based_times jsonb,
      time_based_days_of_week jsonb,
      time_based_flexibility_minutes integer,
      interval_based_hours numeric(5, 2),
      interval_based_first_dose_time timestamptz,
      interval_based_max_doses_per_day integer,
      as_needed_min_interval_hours numeric(5, 2),
      as_needed_max_doses_per_day integer,
      as_needed_conditions jsonb,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT schedules_type_known CHECK (type IN ('timeBased', 'intervalBased', 'asNeeded')),
      CONSTRAINT schedules_dates_are_dates CHECK (
        least(start_date, end_date) >= DATE '0001-01-01'
        AND greatest(start_date, end_date) <= DATE '9999-12-31'
      ),
      CONSTRAINT schedules_dates_in_order CHECK (end_date >= start_date),
      CONSTRAINT schedules_time_based_has_times CHECK (
        type <> 'timeBased' OR time_based_times IS NOT NULL
      ),
      CONSTRAINT schedules_interval_based_has_interval CHECK (
        type <> 'intervalBased'
        OR interval_based_hours IS NOT NULL AND interval_based_first_dose_time IS NOT NULL
      ),
      CONSTRAINT schedules_interval_positive CHECK (interval_based_hours > 0),
      CONSTRAINT schedules_flexibility_not_negative CHECK (time_based_flexibility_minutes >= 0)
    );

    CREATE INDEX schedules_by_medication ON schedules (medication_id);
  END IF;

  IF vigil_needs_input('dose_history') THEN
    made := made || 'dose_history'::text;
    CREATE TABLE dose_history (
      id uuid PRIMARY KEY,
      medication_id uuid NOT NULL,
      schedule_id uuid,
      status text NOT NULL,
      scheduled_time timestamptz,
      actual_time timestamptz,
      recorded_timezone text NOT NULL,
      dosage_amount text,
      notes text,
      side_effects_reported jsonb,
      location_latitude numeric(10, 8),
      location_longitude numeric(11, 8),
      location_city text,
      location_country text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT dose_history_status_known CHECK (
        status IN ('taken', 'skipped', 'missed', 'plannedSkip')
      ),
      CONSTRAINT dose_history_taken_has_time CHECK (status <> 'taken' OR actual_time IS NOT NULL),
      CONSTRAINT dose_history_latitude_in_range CHECK (location_latitude BETWEEN -90 AND 90),
      CONSTRAINT dose_history_longitude_in_range CHECK (location_longitude BETWEEN -180 AND 180),
      CONSTRAINT dose_history_location_is_whole CHECK (
        (location_latitude IS NULL) = (location_longitude IS NULL)
      )
    );

    -- What a run reads: the doses of a medication that were due, or taken, within some days.
    CREATE INDEX dose_history_by_scheduled_time ON dose_history (medication_id, scheduled_time);
    CREATE INDEX dose_history_by_actual_time ON dose_history (medication_id, actual_time);
    CREATE INDEX dose_history_by_schedule ON dose_history (schedule_id);
  END IF;

  IF vigil_needs_input('timezone_events') THEN
    made := made || 'timezone_events'::text;
    CREATE TABLE timezone_events (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      previous_timezone text NOT NULL,
      new_timezone text NOT NULL,
      transition_time timestamptz NOT NULL,
      detection_method text NOT NULL,
      user_confirmed boolean NOT NULL DEFAULT FALSE,
      created_at timestamptz NOT NULL,
      CONSTRAINT timezone_events_detection_method_known CHECK (
        detection_method IN ('automatic', 'manual', 'gps')
      ),
      CONSTRAINT timezone_events_zones_differ CHECK (previous_timezone <> new_timezone)
    );

    CREATE INDEX timezone_events_by_user ON timezone_events (user_id, transition_time);
  END IF;

  IF vigil_needs_input('schedule_adjustments') THEN
    made := made || 'schedule_adjustments'::text;
    CREATE TABLE schedule_adjustments (
      id uuid PRIMARY KEY,
      timezone_event_id uuid NOT NULL,
      schedule_id uuid NOT NULL,
      strategy text NOT NULL,
      old_times jsonb,
      new_times jsonb,
      created_at timestamptz NOT NULL,
      CONSTRAINT schedule_adjustments_natural_key UNIQUE (timezone_event_id, schedule_id),
      CONSTRAINT schedule_adjustments_strategy_known CHECK (
        strategy IN ('keepLocalTime', 'keepAbsoluteTime', 'gradualShift', 'custom')
      )
    );

    CREATE INDEX schedule_adjustments_by_schedule ON schedule_adjustments (schedule_id);
  END IF;

  -- A table of an app may have no key to refer to; users is Vigil's own where it is a table.
  DECLARE
    child text;
    fk_column text;
    parent text;
    on_delete text;
  BEGIN
    FOR child, fk_column, parent, on_delete IN VALUES
      ('medications', 'user_id', 'users', 'CASCADE'),
      ('timezone_events', 'user_id', 'users', 'CASCADE'),
      ('schedules', 'medication_id', 'medications', 'CASCADE'),
      ('dose_history', 'medication_id', 'medications', 'CASCADE'),
      ('dose_history', 'schedule_id', 'schedules', 'SET NULL'),
      ('schedule_adjustments', 'timezone_event_id', 'timezone_events', 'CASCADE'),
      ('schedule_adjustments', 'schedule_id', 'schedules', 'CASCADE')
    LOOP
      CONTINUE WHEN child <> ALL (made);
      CONTINUE WHEN parent <> ALL (made) AND NOT (
        parent = 'users'
        AND EXISTS (SELECT FROM pg_class WHERE oid = 'users'::regclass AND relkind IN ('r', 'p'))
      );
      EXECUTE format(
        'ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES %I (id) ON DELETE %s',
        child, child || '_' || replace(fk_column, '_id', ''), fk_column, parent, on_delete);
    END LOOP;
  END;

  -- The functions below keep the search_path of this moment.
  PERFORM set_config('search_path', format('%I, pg_temp', current_schema()), TRUE);

  -- SECURITY DEFINER, because a view or a table of an app in place of medications is not the reader's
  -- to read. They take no argument, so that nobody can ask them on behalf of another.
  CREATE FUNCTION vigil_visible_medications() RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
  AS 'SELECT id FROM medications WHERE user_id = ANY (ARRAY(SELECT vigil_visible_users()))';

  CREATE FUNCTION vigil_visible_schedules() RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
  AS 'SELECT id FROM schedules WHERE medication_id = ANY (ARRAY(SELECT vigil_visible_medications()))';

  REVOKE ALL ON FUNCTION vigil_visible_medications(), vigil_visible_schedules() FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION vigil_visible_medications(), vigil_visible_schedules() TO vigil_reader;

  FOR input, visible_rows IN VALUES
    ('medications', 'user_id = ANY (ARRAY(SELECT vigil_visible_users()))'),
    ('schedules', 'medication_id = ANY (ARRAY(SELECT vigil_visible_medications()))'),
    ('dose_history', 'medication_id = ANY (ARRAY(SELECT vigil_visible_medications()))'),
    ('timezone_events', 'user_id = ANY (ARRAY(SELECT vigil_visible_users()))'),
    ('schedule_adjustments', 'schedule_id = ANY (ARRAY(SELECT vigil_visible_schedules()))')
  LOOP
    IF input = ANY (made) THEN
      EXECUTE format($sql$
        ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
        CREATE POLICY vigil_owner ON %1$I TO CURRENT_USER USING (TRUE);
        CREATE POLICY vigil_engine ON %1$I FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
        CREATE POLICY vigil_reader ON %1$I FOR SELECT TO vigil_reader USING (%2$s);
        GRANT SELECT ON %1$I TO vigil_engine, vigil_backfill, vigil_reader;
      $sql$, input, visible_rows);
    ELSIF has_table_privilege(quote_ident(input), 'SELECT WITH GRANT OPTION') THEN
      -- Not to the reader: Vigil does not know which of its rows are whose to see.
      EXECUTE format('GRANT SELECT ON %I TO vigil_engine, vigil_backfill', input);
    END IF;
  END LOOP;
END
$$;

-- What is another's to grant may have been granted before; what is missing is said all at once.
DO $$
DECLARE
  missing text;
BEGIN
  SELECT string_agg(
    format('GRANT SELECT ON %I.%I TO %I', current_schema(), input, runtime_role), '; ')
  INTO missing
  FROM
    unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role,
    unnest(ARRAY[
      'medications', 'schedules', 'dose_history', 'timezone_events', 'schedule_adjustments'
    ]) AS input
  WHERE NOT has_table_privilege(runtime_role, quote_ident(input), 'SELECT');
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of these tables must run: %s;', missing);
  END IF;
END
$$;

DROP FUNCTION vigil_needs_input(text);

-- MARK: Outputs

-- What runs saw of a schedule whenever it had changed; the first version is valid from 0001-01-01.
-- No reference to schedules: what was expected on a day outlives the row.
CREATE TABLE schedule_versions (
  schedule_id uuid NOT NULL,
  valid_from date NOT NULL,
  row jsonb NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (schedule_id, valid_from),
  CONSTRAINT schedule_versions_valid_from_is_date CHECK (
    valid_from BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
  )
);

-- How much of what was expected was taken; without a medication of all of a person's.
CREATE TABLE dose_analytics (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  medication_id uuid,
  period_kind text NOT NULL,
  period_start date NOT NULL,
  period_end date NOT NULL,
  total_doses integer NOT NULL,
  taken_doses integer NOT NULL,
  skipped_doses integer NOT NULL,
  missed_doses integer NOT NULL,
  planned_skips integer NOT NULL,
  pending_doses integer NOT NULL,
  on_time_doses integer NOT NULL,
  late_doses integer NOT NULL,
  early_doses integer NOT NULL,
  extra_doses integer NOT NULL,
  as_needed_doses integer NOT NULL,
  as_needed_overuse integer NOT NULL,
  days_expected integer NOT NULL,
  days_exact integer NOT NULL,
  days_covered integer NOT NULL,
  longest_gap_days integer NOT NULL,
  current_gap_days integer NOT NULL,
  drug_holidays integer NOT NULL,
  missed_streak integer NOT NULL,
  -- Fractions; NULL where nothing was expected.
  adherence_rate double precision,
  dosing_adherence double precision,
  timing_adherence double precision,
  pdc double precision,
  adherent boolean,
  evaluated_at timestamptz NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT dose_analytics_period_kind_known CHECK (
    period_kind IN ('7_days', '30_days', '90_days', 'calendar_month')
  ),
  CONSTRAINT dose_analytics_dates_are_dates CHECK (
    period_start >= DATE '0001-01-01' AND period_end <= DATE '9999-12-31'
  ),
  CONSTRAINT dose_analytics_dates_in_order CHECK (period_start <= period_end),
  CONSTRAINT dose_analytics_doses_add_up CHECK (
    total_doses = taken_doses + skipped_doses + missed_doses
    AND taken_doses = on_time_doses + late_doses + early_doses
    AND least(
      taken_doses, skipped_doses, missed_doses, planned_skips, pending_doses, on_time_doses,
      late_doses, early_doses, extra_doses, as_needed_doses, as_needed_overuse
    ) >= 0
  ),
  CONSTRAINT dose_analytics_rates_are_fractions CHECK (
    least(adherence_rate, dosing_adherence, timing_adherence, pdc) >= 0
    AND greatest(adherence_rate, dosing_adherence, timing_adherence, pdc) <= 1
  ),
  CONSTRAINT dose_analytics_rates_need_doses CHECK (
    (total_doses = 0) = (adherence_rate IS NULL) AND (total_doses = 0) = (timing_adherence IS NULL)
    AND (days_expected = 0) = (pdc IS NULL) AND (pdc IS NULL) = (dosing_adherence IS NULL)
    AND (pdc IS NULL) = (adherent IS NULL)
  )
);

CREATE INDEX dose_analytics_by_user ON dose_analytics (user_id, period_kind, period_end);

-- What stands out in the course of a person's scores and doses on a day. No medication is named.
CREATE TABLE trend_insights (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  pillar text NOT NULL,
  insight_date date NOT NULL,
  rule text NOT NULL,
  severity text NOT NULL,
  recent_mean double precision,
  baseline_mean double precision,
  -- A fraction of the baseline; NULL where there is none.
  change_fraction double precision,
  coverage_days integer NOT NULL,
  confidence double precision NOT NULL,
  slope_per_day double precision,
  slope_lower double precision,
  slope_upper double precision,
  suppressed_reason text,
  medication_id uuid,
  missed_doses integer,
  days_without_dose integer,
  -- Two episodes at the same time: an association, never a cause.
  alert_state_id uuid,
  related_alert_state_id uuid,
  related_metric_type text,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT trend_insights_pillar_known CHECK (
    pillar IN ('sleep', 'movement', 'stress', 'adherence')
  ),
  CONSTRAINT trend_insights_date_is_date CHECK (
    insight_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
  ),
  CONSTRAINT trend_insights_rule_known CHECK (
    rule IN (
      'low_streak', 'drop_vs_baseline', 'rebound', 'declining_trend', 'improving_trend',
      'missed_streak', 'concurrent_episodes'
    )
  ),
  CONSTRAINT trend_insights_severity_known CHECK (severity IN ('attention', 'celebrate')),
  CONSTRAINT trend_insights_suppressed_reason_known CHECK (
    suppressed_reason IN ('recovered', 'retracted')
  ),
  CONSTRAINT trend_insights_coverage_not_negative CHECK (coverage_days >= 0),
  CONSTRAINT trend_insights_confidence_is_fraction CHECK (confidence BETWEEN 0 AND 1),
  CONSTRAINT trend_insights_missed_streak_is_whole CHECK (
    rule <> 'missed_streak'
    OR medication_id IS NOT NULL AND missed_doses IS NOT NULL AND days_without_dose IS NOT NULL
  ),
  CONSTRAINT trend_insights_concurrence_is_whole CHECK (
    rule <> 'concurrent_episodes'
    OR alert_state_id IS NOT NULL AND related_alert_state_id IS NOT NULL
      AND related_metric_type IS NOT NULL
  )
);

CREATE INDEX trend_insights_by_user ON trend_insights (user_id, insight_date);

-- What a batch has read of medications and doses; NULL where nobody had asked for it.
ALTER TABLE batch_checkpoints ADD COLUMN medication_digest bigint;

-- MARK: Rights

ALTER TABLE schedule_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON schedule_versions TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON schedule_versions TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON schedule_versions TO vigil_engine, vigil_backfill;

DO $$
DECLARE
  output text;
BEGIN
  FOREACH output IN ARRAY ARRAY['dose_analytics', 'trend_insights'] LOOP
    EXECUTE format($sql$
      ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY vigil_owner ON %1$I TO CURRENT_USER USING (TRUE);
      CREATE POLICY vigil_engine ON %1$I TO vigil_engine, vigil_backfill USING (TRUE);
      CREATE POLICY vigil_reader ON %1$I FOR SELECT TO vigil_reader
        USING (user_id = ANY (ARRAY(SELECT vigil_visible_users())));
      GRANT SELECT, INSERT, UPDATE ON %1$I TO vigil_engine, vigil_backfill;
      GRANT SELECT ON %1$I TO vigil_reader;
    $sql$, output);
  END LOOP;
END
$$;
