-- What runs make of medications and doses.

-- It does not refer to schedules: what was expected on a day outlives the row.
CREATE TABLE schedule_versions (
  schedule_id TEXT NOT NULL,
  valid_from TEXT NOT NULL,
  row TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (schedule_id, valid_from),
  CONSTRAINT schedule_versions_schedule_id_is_uuid CHECK (
    schedule_id GLOB '????????-????-????-????-????????????' AND schedule_id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT schedule_versions_valid_from_is_date CHECK (valid_from IS date(valid_from)),
  CONSTRAINT schedule_versions_row_is_json CHECK (json_valid(row))
) STRICT, WITHOUT ROWID;

CREATE TABLE dose_analytics (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  medication_id TEXT,
  period_kind TEXT NOT NULL,
  period_start TEXT NOT NULL,
  period_end TEXT NOT NULL,
  total_doses INTEGER NOT NULL,
  taken_doses INTEGER NOT NULL,
  skipped_doses INTEGER NOT NULL,
  missed_doses INTEGER NOT NULL,
  planned_skips INTEGER NOT NULL,
  pending_doses INTEGER NOT NULL,
  on_time_doses INTEGER NOT NULL,
  late_doses INTEGER NOT NULL,
  early_doses INTEGER NOT NULL,
  extra_doses INTEGER NOT NULL,
  as_needed_doses INTEGER NOT NULL,
  as_needed_overuse INTEGER NOT NULL,
  days_expected INTEGER NOT NULL,
  days_exact INTEGER NOT NULL,
  days_covered INTEGER NOT NULL,
  longest_gap_days INTEGER NOT NULL,
  current_gap_days INTEGER NOT NULL,
  drug_holidays INTEGER NOT NULL,
  missed_streak INTEGER NOT NULL,
  adherence_rate REAL,
  dosing_adherence REAL,
  timing_adherence REAL,
  pdc REAL,
  adherent INTEGER,
  day_digest INTEGER NOT NULL,
  evaluated_at TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT dose_analytics_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT dose_analytics_period_kind_known CHECK (
    period_kind IN ('7_days', '30_days', '90_days', 'calendar_month')
  ),
  CONSTRAINT dose_analytics_dates_are_dates CHECK (
    period_start IS date(period_start) AND period_end IS date(period_end)
  ),
  CONSTRAINT dose_analytics_dates_in_order CHECK (period_start <= period_end),
  CONSTRAINT dose_analytics_booleans CHECK (
    adherent IS NULL OR adherent IN (0, 1)
  ),
  CONSTRAINT dose_analytics_doses_add_up CHECK (
    total_doses = taken_doses + skipped_doses + missed_doses
    AND taken_doses = on_time_doses + late_doses + early_doses
    AND min(
      taken_doses, skipped_doses, missed_doses, planned_skips, pending_doses, on_time_doses,
      late_doses, early_doses, extra_doses, as_needed_doses, as_needed_overuse
    ) >= 0
  ),
  CONSTRAINT dose_analytics_rates_are_fractions CHECK (
    coalesce(adherence_rate BETWEEN 0 AND 1, 1) AND coalesce(dosing_adherence BETWEEN 0 AND 1, 1)
    AND coalesce(timing_adherence BETWEEN 0 AND 1, 1) AND coalesce(pdc BETWEEN 0 AND 1, 1)
  ),
  CONSTRAINT dose_analytics_rates_need_doses CHECK (
    (total_doses = 0) = (adherence_rate IS NULL) AND (total_doses = 0) = (timing_adherence IS NULL)
    AND (days_expected = 0) = (pdc IS NULL) AND (pdc IS NULL) = (dosing_adherence IS NULL)
    AND (pdc IS NULL) = (adherent IS NULL)
  ),
  -- A run never writes others, and what reads them need not expect any number.
  CONSTRAINT dose_analytics_counts_in_range CHECK (
    min(
      days_expected, days_exact, days_covered, longest_gap_days, current_gap_days, drug_holidays,
      missed_streak
    ) >= 0
    AND max(
      days_expected, days_exact, days_covered, longest_gap_days, current_gap_days, drug_holidays,
      missed_streak,
      total_doses, planned_skips, pending_doses, extra_doses, as_needed_doses, as_needed_overuse
    ) <= 1000000000
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX dose_analytics_by_user ON dose_analytics (user_id, period_kind, period_end);
