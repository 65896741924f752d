-- What runs make of medications and doses.

-- MARK: Tables

-- It does not refer to schedules: what was expected on a day outlives the row.
CREATE TABLE {{schema}}.schedule_versions (
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

COMMENT ON TABLE {{schema}}.schedule_versions IS
  'What runs saw of a schedule whenever it had changed: the input keeps no history. Runs write '
  'it.';
COMMENT ON COLUMN {{schema}}.schedule_versions.schedule_id IS
  'The schedule.';
COMMENT ON COLUMN {{schema}}.schedule_versions.valid_from IS
  'The first day on which this version holds. The first version holds from 0001-01-01.';
COMMENT ON COLUMN {{schema}}.schedule_versions.row IS
  'The row of schedules, as a JSON object.';
COMMENT ON COLUMN {{schema}}.schedule_versions.run_id IS
  'The run that last changed the row.';
COMMENT ON COLUMN {{schema}}.schedule_versions.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.schedule_versions.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.dose_analytics (
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
  adherence_rate double precision,
  dosing_adherence double precision,
  timing_adherence double precision,
  pdc double precision,
  adherent boolean,
  day_digest bigint NOT NULL,
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
  ),
  -- A run never writes others, and what reads them need not expect any number.
  CONSTRAINT dose_analytics_counts_in_range CHECK (
    least(
      days_expected, days_exact, days_covered, longest_gap_days, current_gap_days, drug_holidays,
      missed_streak
    ) >= 0
    AND greatest(
      days_expected, days_exact, days_covered, longest_gap_days, current_gap_days, drug_holidays,
      missed_streak,
      total_doses, planned_skips, pending_doses, extra_doses, as_needed_doses, as_needed_overuse
    ) <= 1000000000
  )
);

CREATE INDEX dose_analytics_by_user
ON {{schema}}.dose_analytics (user_id, period_kind, period_end);

COMMENT ON TABLE {{schema}}.dose_analytics IS
  'Adherence of a person in a period, for each medication and for all of them. Runs write it.';
COMMENT ON COLUMN {{schema}}.dose_analytics.id IS
  'UUIDv5 of person, medication and period.';
COMMENT ON COLUMN {{schema}}.dose_analytics.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.dose_analytics.medication_id IS
  'The medication. NULL for all medications of the person.';
COMMENT ON COLUMN {{schema}}.dose_analytics.period_kind IS
  '7_days, 30_days, 90_days or calendar_month.';
COMMENT ON COLUMN {{schema}}.dose_analytics.period_start IS
  'The first day of the period.';
COMMENT ON COLUMN {{schema}}.dose_analytics.period_end IS
  'The last day of the period.';
COMMENT ON COLUMN {{schema}}.dose_analytics.total_doses IS
  'Expected doses: taken, skipped and missed ones.';
COMMENT ON COLUMN {{schema}}.dose_analytics.taken_doses IS
  'Expected doses that were taken.';
COMMENT ON COLUMN {{schema}}.dose_analytics.skipped_doses IS
  'Expected doses that the person skipped.';
COMMENT ON COLUMN {{schema}}.dose_analytics.missed_doses IS
  'Expected doses that were missed.';
COMMENT ON COLUMN {{schema}}.dose_analytics.planned_skips IS
  'Doses that were skipped as planned. They are not expected.';
COMMENT ON COLUMN {{schema}}.dose_analytics.pending_doses IS
  'Doses that may still be taken. They are not expected yet.';
COMMENT ON COLUMN {{schema}}.dose_analytics.on_time_doses IS
  'Doses taken on time.';
COMMENT ON COLUMN {{schema}}.dose_analytics.late_doses IS
  'Doses taken late.';
COMMENT ON COLUMN {{schema}}.dose_analytics.early_doses IS
  'Doses taken early.';
COMMENT ON COLUMN {{schema}}.dose_analytics.extra_doses IS
  'Doses taken that were not expected.';
COMMENT ON COLUMN {{schema}}.dose_analytics.as_needed_doses IS
  'Doses taken as needed.';
COMMENT ON COLUMN {{schema}}.dose_analytics.as_needed_overuse IS
  'Doses as needed that were too many or too soon.';
COMMENT ON COLUMN {{schema}}.dose_analytics.days_expected IS
  'Days with expected doses.';
COMMENT ON COLUMN {{schema}}.dose_analytics.days_exact IS
  'Days with exactly the expected doses.';
COMMENT ON COLUMN {{schema}}.dose_analytics.days_covered IS
  'Days with at least the expected doses.';
COMMENT ON COLUMN {{schema}}.dose_analytics.longest_gap_days IS
  'Days of the longest gap, in which no dose was taken.';
COMMENT ON COLUMN {{schema}}.dose_analytics.current_gap_days IS
  'Days of the gap that is open at the end of the period.';
COMMENT ON COLUMN {{schema}}.dose_analytics.drug_holidays IS
  'Gaps of three days or more.';
COMMENT ON COLUMN {{schema}}.dose_analytics.missed_streak IS
  'Doses missed in a row at the end of the period.';
COMMENT ON COLUMN {{schema}}.dose_analytics.adherence_rate IS
  'Taking adherence: taken_doses / total_doses, 0 to 1. NULL where nothing was expected.';
COMMENT ON COLUMN {{schema}}.dose_analytics.dosing_adherence IS
  'days_exact / days_expected, 0 to 1. NULL where nothing was expected.';
COMMENT ON COLUMN {{schema}}.dose_analytics.timing_adherence IS
  'on_time_doses / total_doses, 0 to 1. NULL where nothing was expected.';
COMMENT ON COLUMN {{schema}}.dose_analytics.pdc IS
  'Proportion of days covered: days_covered / days_expected, 0 to 1. NULL where nothing was '
  'expected.';
COMMENT ON COLUMN {{schema}}.dose_analytics.adherent IS
  'Whether pdc is 0.8 or more. NULL where nothing was expected.';
COMMENT ON COLUMN {{schema}}.dose_analytics.day_digest IS
  'Digest of the doses of each day. It shows changes that leave all counts equal, such as a dose that '
  'moved to another day.';
COMMENT ON COLUMN {{schema}}.dose_analytics.evaluated_at IS
  'The instant as of which doses were missed or pending.';
COMMENT ON COLUMN {{schema}}.dose_analytics.run_id IS
  'The run that last changed the row.';
COMMENT ON COLUMN {{schema}}.dose_analytics.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.dose_analytics.updated_at IS
  'When the row was last changed.';

-- MARK: Rights

ALTER TABLE {{schema}}.schedule_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.schedule_versions TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.schedule_versions
TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON {{schema}}.schedule_versions TO vigil_engine, vigil_backfill;

-- A run removes the rows of medications that are gone.
ALTER TABLE {{schema}}.dose_analytics ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.dose_analytics TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.dose_analytics
TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.dose_analytics FOR SELECT TO vigil_reader
USING (user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users())));
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.dose_analytics TO vigil_engine, vigil_backfill;
GRANT SELECT ON {{schema}}.dose_analytics TO vigil_reader;
