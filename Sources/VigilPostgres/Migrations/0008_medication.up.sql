-- What persons should take and what they took.
--
-- All of these tables are inputs: where the schema has a table or a view of such a name, Vigil reads
-- it as it is. Whether an instant lies in the future is left to the import and the run: a constraint
-- that asks the clock does not hold when rows are restored.

-- MARK: Tables

-- Returns whether there is no relation of this name yet; an error where the relation that there is
-- cannot be read.
CREATE FUNCTION {{schema}}.vigil_needs_input(input text) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  kind "char";
BEGIN
  SELECT relkind INTO kind FROM pg_class
  WHERE oid = to_regclass(format('%I.%I', {{schema_name}}, input));
  IF kind IS NULL THEN RETURN TRUE; END IF;
  IF kind IN ('r', 'p', 'v', 'm', 'f') THEN RETURN FALSE; END IF;
  RAISE EXCEPTION 'the schema % has %, which is neither a table nor a view',
    quote_ident({{schema_name}}), quote_ident(input)
    USING ERRCODE = 'duplicate_table', HINT = 'give it another name';
END
$$;

DO $$
DECLARE
  made text[] := '{}';
  input text;
  fk_column text;
  parent text;
  on_delete text;
BEGIN
  IF {{schema}}.vigil_needs_input('medications') THEN
    made := made || 'medications'::text;
    CREATE TABLE {{schema}}.medications (
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
      refill_counted_at timestamptz,
      refill_units_per_dose double precision,
      refill_reminder_days integer,
      missed_after_minutes integer,
      expires_on date,
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
        least(start_date, end_date, expires_on) >= DATE '0001-01-01'
        AND greatest(start_date, end_date, expires_on) <= DATE '9999-12-31'
      ),
      CONSTRAINT medications_dates_in_order CHECK (end_date >= start_date),
      CONSTRAINT medications_refill_in_order CHECK (
        refill_remaining_quantity <= refill_total_quantity
      ),
      CONSTRAINT medications_missed_after_in_range CHECK (
        missed_after_minutes BETWEEN 0 AND 10080
      ),
      CONSTRAINT medications_refill_in_range CHECK (
        least(refill_remaining_quantity, refill_reminder_threshold, refill_reminder_days) >= 0
        AND refill_units_per_dose > 0 AND refill_units_per_dose < 'Infinity'
      )
    );

    CREATE INDEX medications_by_user ON {{schema}}.medications (user_id);

    COMMENT ON TABLE {{schema}}.medications IS
      'Medications of persons. Input: an import or the app writes it. Vigil reads who takes it '
      'and when, never its name.';
    COMMENT ON COLUMN {{schema}}.medications.id IS
      'The medication.';
    COMMENT ON COLUMN {{schema}}.medications.user_id IS
      'The person who takes it.';
    COMMENT ON COLUMN {{schema}}.medications.name IS
      'Name of the medication. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.medications.generic_name IS
      'Name of the active substance. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.medications.dosage IS
      'Amount of a dose, such as 10 mg. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.medications.form IS
      'pill, capsule, liquid, injection, topical, inhaler, drops, patch or other.';
    COMMENT ON COLUMN {{schema}}.medications.instructions IS
      'Instructions for the person. Vigil does not read them.';
    COMMENT ON COLUMN {{schema}}.medications.prescribed_by IS
      'Who prescribed it. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.medications.purpose IS
      'What it is for. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.medications.side_effects IS
      'Possible side effects: a JSON array of texts. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.medications.color IS
      'Colour in the app, such as #FF5733.';
    COMMENT ON COLUMN {{schema}}.medications.icon IS
      'Icon in the app.';
    COMMENT ON COLUMN {{schema}}.medications.is_active IS
      'Whether the person takes it at present. An inactive medication counts up to its end date.';
    COMMENT ON COLUMN {{schema}}.medications.start_date IS
      'The first day on which doses are expected.';
    COMMENT ON COLUMN {{schema}}.medications.end_date IS
      'The last day on which doses are expected. NULL where there is none.';
    COMMENT ON COLUMN {{schema}}.medications.refill_reminder_enabled IS
      'Whether reminders of a refill are wanted. Vigil follows the supply only then.';
    COMMENT ON COLUMN {{schema}}.medications.refill_total_quantity IS
      'Units of a prescription.';
    COMMENT ON COLUMN {{schema}}.medications.refill_remaining_quantity IS
      'Units that were left at refill_counted_at.';
    COMMENT ON COLUMN {{schema}}.medications.refill_reminder_threshold IS
      'A refill is due when at most this number of units is left. NULL where there is no such limit.';
    COMMENT ON COLUMN {{schema}}.medications.refill_counted_at IS
      'When refill_remaining_quantity was counted. Doses taken later use the units up.';
    COMMENT ON COLUMN {{schema}}.medications.refill_units_per_dose IS
      'Units of one dose, such as 0.5 tablets. NULL means 1.';
    COMMENT ON COLUMN {{schema}}.medications.refill_reminder_days IS
      'A refill is due when the units last at most this number of days. Where this and '
      'refill_reminder_threshold are NULL it is 7.';
    COMMENT ON COLUMN {{schema}}.medications.missed_after_minutes IS
      'A dose without a record is missed this number of minutes after its flexibility. NULL: 240.';
    COMMENT ON COLUMN {{schema}}.medications.expires_on IS
      'The last day on which the package in use may be used. A new one is due 7 days before.';
    COMMENT ON COLUMN {{schema}}.medications.created_at IS
      'When the row was added.';
    COMMENT ON COLUMN {{schema}}.medications.updated_at IS
      'When the row was last changed.';
    COMMENT ON COLUMN {{schema}}.medications.is_deleted IS
      'Whether the person has removed it. Its doses are then left out.';
  END IF;

  IF {{schema}}.vigil_needs_input('schedules') THEN
    made := made || 'schedules'::text;
    CREATE TABLE {{schema}}.schedules (
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

    CREATE INDEX schedules_by_medication ON {{schema}}.schedules (medication_id);

    COMMENT ON TABLE {{schema}}.schedules IS
      'When doses of a medication are expected. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.schedules.id IS
      'The schedule.';
    COMMENT ON COLUMN {{schema}}.schedules.medication_id IS
      'The medication.';
    COMMENT ON COLUMN {{schema}}.schedules.type IS
      'timeBased (at times of the day), intervalBased (every so many hours) or asNeeded (no dose '
      'is expected).';
    COMMENT ON COLUMN {{schema}}.schedules.reference_timezone IS
      'IANA time zone of the times, such as Europe/Madrid.';
    COMMENT ON COLUMN {{schema}}.schedules.is_active IS
      'Whether the schedule holds at present. An inactive schedule counts up to its end date.';
    COMMENT ON COLUMN {{schema}}.schedules.start_date IS
      'The first day on which doses are expected.';
    COMMENT ON COLUMN {{schema}}.schedules.end_date IS
      'The last day on which doses are expected. NULL where there is none.';
    COMMENT ON COLUMN {{schema}}.schedules.time_based_times IS
      'Times of the day: a JSON array such as ["08:00", "20:00"].';
    COMMENT ON COLUMN {{schema}}.schedules.time_based_days_of_week IS
      'Days of the week: a JSON array of 0 (Sunday) to 6. NULL means every day.';
    COMMENT ON COLUMN {{schema}}.schedules.time_based_flexibility_minutes IS
      'Minutes by which a dose may be early or late and still be on time. Default: 60.';
    COMMENT ON COLUMN {{schema}}.schedules.interval_based_hours IS
      'Hours from one dose to the next.';
    COMMENT ON COLUMN {{schema}}.schedules.interval_based_first_dose_time IS
      'The first dose, from which the hours are counted.';
    COMMENT ON COLUMN {{schema}}.schedules.interval_based_max_doses_per_day IS
      'Expected doses of a local day at most.';
    COMMENT ON COLUMN {{schema}}.schedules.as_needed_min_interval_hours IS
      'Hours between two doses at least. A dose before that is overuse.';
    COMMENT ON COLUMN {{schema}}.schedules.as_needed_max_doses_per_day IS
      'Doses within 24 hours at most. A dose more than that is overuse.';
    COMMENT ON COLUMN {{schema}}.schedules.as_needed_conditions IS
      'When to take a dose: a JSON array of texts. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.schedules.created_at IS
      'When the row was added.';
    COMMENT ON COLUMN {{schema}}.schedules.updated_at IS
      'When the row was last changed.';
  END IF;

  IF {{schema}}.vigil_needs_input('dose_history') THEN
    made := made || 'dose_history'::text;
    CREATE TABLE {{schema}}.dose_history (
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
      ),
      -- An index takes no text of any length.
      CONSTRAINT dose_history_timezone_not_too_long CHECK (octet_length(recorded_timezone) <= 255)
    );

    -- A run reads the doses of some hundred medications over some months. The table has them in the
    -- order in which they were logged, those of one medication as far apart as its days. An index that
    -- holds all that a run reads has them side by side.
    CREATE INDEX dose_history_by_medication
    ON {{schema}}.dose_history (medication_id, scheduled_time)
      INCLUDE (id, schedule_id, status, actual_time, recorded_timezone, created_at);

    -- Doses without a planned time, and those taken more than a day off it. The condition is that of
    -- the query of a run, word for word.
    CREATE INDEX dose_history_off_schedule
    ON {{schema}}.dose_history (medication_id, actual_time)
      INCLUDE (id, schedule_id, status, scheduled_time, recorded_timezone, created_at)
    WHERE CASE
      WHEN isfinite(scheduled_time) AND isfinite(actual_time)
        THEN actual_time - scheduled_time NOT BETWEEN INTERVAL '-24 hours' AND INTERVAL '24 hours'
      ELSE actual_time IS NOT NULL
    END;

    CREATE INDEX dose_history_by_schedule ON {{schema}}.dose_history (schedule_id);

    COMMENT ON TABLE {{schema}}.dose_history IS
      'Doses that were taken, skipped or missed. Input: an import or the app writes it. A '
      'correction is a new row with the same schedule and scheduled time; the newest row counts.';
    COMMENT ON COLUMN {{schema}}.dose_history.id IS
      'The row.';
    COMMENT ON COLUMN {{schema}}.dose_history.medication_id IS
      'The medication.';
    COMMENT ON COLUMN {{schema}}.dose_history.schedule_id IS
      'The schedule. NULL for a dose that no schedule expected.';
    COMMENT ON COLUMN {{schema}}.dose_history.status IS
      'taken, skipped, missed or plannedSkip.';
    COMMENT ON COLUMN {{schema}}.dose_history.scheduled_time IS
      'When the dose was due. NULL for a dose as needed.';
    COMMENT ON COLUMN {{schema}}.dose_history.actual_time IS
      'When the dose was taken. Required where the status is taken.';
    COMMENT ON COLUMN {{schema}}.dose_history.recorded_timezone IS
      'IANA time zone in which the person logged the dose, such as Europe/Madrid. At most 255 '
      'bytes.';
    COMMENT ON COLUMN {{schema}}.dose_history.dosage_amount IS
      'Amount that was taken, where it differs. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.dose_history.notes IS
      'Notes of the person. Vigil does not read them.';
    COMMENT ON COLUMN {{schema}}.dose_history.side_effects_reported IS
      'Side effects: a JSON array of texts. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.dose_history.location_latitude IS
      'Latitude, in degrees. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.dose_history.location_longitude IS
      'Longitude, in degrees. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.dose_history.location_city IS
      'City. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.dose_history.location_country IS
      'Country. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.dose_history.created_at IS
      'When the dose was logged. Of two rows of one dose the later counts.';
    COMMENT ON COLUMN {{schema}}.dose_history.updated_at IS
      'When the row was last changed.';
  END IF;

  IF {{schema}}.vigil_needs_input('timezone_events') THEN
    made := made || 'timezone_events'::text;
    CREATE TABLE {{schema}}.timezone_events (
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

    CREATE INDEX timezone_events_by_user
    ON {{schema}}.timezone_events (user_id, transition_time);

    COMMENT ON TABLE {{schema}}.timezone_events IS
      'Changes of the time zone of persons. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.timezone_events.id IS
      'The change.';
    COMMENT ON COLUMN {{schema}}.timezone_events.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.timezone_events.previous_timezone IS
      'IANA time zone before, such as America/New_York.';
    COMMENT ON COLUMN {{schema}}.timezone_events.new_timezone IS
      'IANA time zone after, such as Europe/Madrid.';
    COMMENT ON COLUMN {{schema}}.timezone_events.transition_time IS
      'When the zone changed.';
    COMMENT ON COLUMN {{schema}}.timezone_events.detection_method IS
      'automatic, manual or gps.';
    COMMENT ON COLUMN {{schema}}.timezone_events.user_confirmed IS
      'Whether the person confirmed the change. Without an adjustment, doses then move to the new '
      'local time.';
    COMMENT ON COLUMN {{schema}}.timezone_events.created_at IS
      'When the row was added.';
  END IF;

  IF {{schema}}.vigil_needs_input('schedule_adjustments') THEN
    made := made || 'schedule_adjustments'::text;
    CREATE TABLE {{schema}}.schedule_adjustments (
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

    CREATE INDEX schedule_adjustments_by_schedule
    ON {{schema}}.schedule_adjustments (schedule_id);

    COMMENT ON TABLE {{schema}}.schedule_adjustments IS
      'How a schedule follows a change of the time zone. Input: an import or the app writes it.';
    COMMENT ON COLUMN {{schema}}.schedule_adjustments.id IS
      'The adjustment.';
    COMMENT ON COLUMN {{schema}}.schedule_adjustments.timezone_event_id IS
      'The change of the time zone.';
    COMMENT ON COLUMN {{schema}}.schedule_adjustments.schedule_id IS
      'The schedule.';
    COMMENT ON COLUMN {{schema}}.schedule_adjustments.strategy IS
      'keepLocalTime, keepAbsoluteTime, gradualShift (one hour a day) or custom (new_times).';
    COMMENT ON COLUMN {{schema}}.schedule_adjustments.old_times IS
      'Times of the day before: a JSON array such as ["08:00"]. Vigil does not read it.';
    COMMENT ON COLUMN {{schema}}.schedule_adjustments.new_times IS
      'Times of the day from then on, for custom: a JSON array such as ["09:00"].';
    COMMENT ON COLUMN {{schema}}.schedule_adjustments.created_at IS
      'When the row was added.';
  END IF;

  -- A table of an app may have no key to refer to; users is Vigil's own where it is a table.
  FOR input, fk_column, parent, on_delete IN VALUES
    ('medications', 'user_id', 'users', 'CASCADE'),
    ('timezone_events', 'user_id', 'users', 'CASCADE'),
    ('schedules', 'medication_id', 'medications', 'CASCADE'),
    ('dose_history', 'medication_id', 'medications', 'CASCADE'),
    ('dose_history', 'schedule_id', 'schedules', 'SET NULL'),
    ('schedule_adjustments', 'timezone_event_id', 'timezone_events', 'CASCADE'),
    ('schedule_adjustments', 'schedule_id', 'schedules', 'CASCADE')
  LOOP
    CONTINUE WHEN input <> ALL (made);
    CONTINUE WHEN parent <> ALL (made) AND NOT (
      parent = 'users'
      AND EXISTS (
        SELECT FROM pg_class
        WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
      )
    );
    EXECUTE format(
      'ALTER TABLE %1$I.%2$I ADD CONSTRAINT %3$I FOREIGN KEY (%4$I) REFERENCES %1$I.%5$I (id)'
      ' ON DELETE %6$s',
      {{schema_name}}, input, input || '_' || replace(fk_column, '_id', ''), fk_column, parent,
      on_delete);
  END LOOP;

  -- The policy of the owner also marks the tables that Vigil made.
  FOREACH input IN ARRAY made LOOP
    EXECUTE format($sql$
      ALTER TABLE %1$I.%2$I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY vigil_owner ON %1$I.%2$I TO CURRENT_USER USING (TRUE);
    $sql$, {{schema_name}}, input);
  END LOOP;
END
$$;

DROP FUNCTION {{schema}}.vigil_needs_input(text);

-- MARK: Whose medications a viewer may see

-- SECURITY DEFINER, because the reader may not read a view or a table of an app in place of medications.
-- They take no person, so that no login can ask on behalf of another.
CREATE FUNCTION {{schema}}.vigil_shared_medications(what text) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id FROM {{schema}}.medications
  WHERE user_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons(vigil_shared_medications.what)))
$$;

COMMENT ON FUNCTION {{schema}}.vigil_shared_medications(text) IS
  'Returns the medications of the viewer, and of persons who have opened a kind of data to the viewer.';

CREATE FUNCTION {{schema}}.vigil_shared_schedules() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id FROM {{schema}}.schedules
  WHERE medication_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_medications('medications')))
$$;

COMMENT ON FUNCTION {{schema}}.vigil_shared_schedules() IS
  'Returns the schedules of the viewer, and of persons who have opened their medications to the viewer.';

-- The person is one of those whom the viewer may ask about; for another it returns no row.
CREATE FUNCTION {{schema}}.dose_details(person uuid)
RETURNS TABLE (
  dose_id uuid,
  -- Of the viewer, and of persons who have opened notes.
  notes text,
  side_effects_reported jsonb,
  -- Of the viewer, and of persons who have opened location.
  location_latitude double precision,
  location_longitude double precision,
  location_city text,
  location_country text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  has_notes constant boolean :=
    dose_details.person IN (SELECT {{schema}}.vigil_shared_persons('notes'));
  has_places constant boolean :=
    dose_details.person IN (SELECT {{schema}}.vigil_shared_persons('location'));
BEGIN
  -- A table or a view of an app in place of dose_history is the app's to show.
  IF (has_notes OR has_places) IS NOT TRUE OR NOT EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = {{schema_name}} AND tablename = 'dose_history' AND policyname = 'vigil_owner'
  ) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT dose.id,
    CASE WHEN has_notes THEN dose.notes END,
    CASE WHEN has_notes THEN dose.side_effects_reported END,
    CASE WHEN has_places THEN dose.location_latitude::double precision END,
    CASE WHEN has_places THEN dose.location_longitude::double precision END,
    CASE WHEN has_places THEN dose.location_city END,
    CASE WHEN has_places THEN dose.location_country END
  FROM {{schema}}.dose_history AS dose
  WHERE dose.medication_id = ANY (ARRAY(
    SELECT medication.id FROM {{schema}}.medications AS medication
    WHERE medication.user_id = dose_details.person
  ));
END
$$;

COMMENT ON FUNCTION {{schema}}.dose_details(uuid) IS
  'Returns notes and places of the doses of a person, as far as the person has opened them to the viewer; of the viewer all.';

REVOKE ALL ON FUNCTION
  {{schema}}.vigil_shared_medications(text), {{schema}}.vigil_shared_schedules(),
  {{schema}}.dose_details(uuid)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  {{schema}}.vigil_shared_medications(text), {{schema}}.vigil_shared_schedules(),
  {{schema}}.dose_details(uuid)
TO vigil_reader;

-- MARK: Rights

DO $$
DECLARE
  input text;
  visible_rows text;
BEGIN
  FOR input, visible_rows IN VALUES
    ('medications', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons('medications')))$v$),
    ('schedules',
      $v$medication_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_medications('medications')))$v$),
    ('dose_history',
      $v$medication_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_medications('doses')))$v$),
    -- Where a person is.
    ('timezone_events', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons('location')))$v$),
    ('schedule_adjustments',
      $v$schedule_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_schedules()))$v$)
  LOOP
    IF EXISTS (
      SELECT FROM pg_policies
      WHERE schemaname = {{schema_name}} AND tablename = input AND policyname = 'vigil_owner'
    ) THEN
      EXECUTE format($sql$
        CREATE POLICY vigil_engine ON %1$I.%2$I
          FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
        CREATE POLICY vigil_reader ON %1$I.%2$I FOR SELECT TO vigil_reader USING (%3$s);
        GRANT SELECT ON %1$I.%2$I TO vigil_engine, vigil_backfill;
        GRANT SELECT %4$s ON %1$I.%2$I TO vigil_reader;
      $sql$, {{schema_name}}, input, visible_rows,
        -- Notes and places dose_details() returns to those who may read them.
        CASE input WHEN 'dose_history' THEN
          '(id, medication_id, schedule_id, status, scheduled_time, actual_time, recorded_timezone, dosage_amount,'
          ' created_at, updated_at)'
        ELSE '' END);
    ELSIF has_table_privilege(format('%I.%I', {{schema_name}}, input), 'SELECT WITH GRANT OPTION')
    THEN
      -- Not to the reader: Vigil does not know which rows of an app's table a person may see.
      EXECUTE format(
        'GRANT SELECT ON %I.%I TO vigil_engine, vigil_backfill', {{schema_name}}, input);
    END IF;
  END LOOP;
END
$$;

-- The owner of a table or a view may have granted these rights before; all that are missing are named
-- at once.
DO $$
DECLARE
  missing text;
BEGIN
  SELECT string_agg(
    format('GRANT SELECT ON %I.%I TO %I', {{schema_name}}, input, runtime_role), '; ')
  INTO missing
  FROM
    unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role,
    unnest(ARRAY[
      'medications', 'schedules', 'dose_history', 'timezone_events', 'schedule_adjustments'
    ]) AS input
  WHERE NOT has_table_privilege(runtime_role, format('%I.%I', {{schema_name}}, input), 'SELECT');
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of these tables must run: %s;', missing);
  END IF;
END
$$;
