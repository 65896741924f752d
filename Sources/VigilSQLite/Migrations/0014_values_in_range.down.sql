ALTER TABLE dose_analytics RENAME TO dose_analytics_before;

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
  -- Fractions; NULL where nothing was expected.
  adherence_rate REAL,
  dosing_adherence REAL,
  timing_adherence REAL,
  pdc REAL,
  adherent INTEGER,
  evaluated_at TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  day_digest INTEGER,
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
  )
) STRICT, WITHOUT ROWID;

INSERT INTO dose_analytics (
  id, user_id, medication_id, period_kind, period_start, period_end, total_doses, taken_doses,
  skipped_doses, missed_doses, planned_skips, pending_doses, on_time_doses, late_doses,
  early_doses, extra_doses, as_needed_doses, as_needed_overuse, days_expected, days_exact,
  days_covered, longest_gap_days, current_gap_days, drug_holidays, missed_streak,
  adherence_rate, dosing_adherence, timing_adherence, pdc, adherent, evaluated_at, run_id,
  created_at, updated_at, day_digest
)
SELECT
  id, user_id, medication_id, period_kind, period_start, period_end, total_doses, taken_doses,
  skipped_doses, missed_doses, planned_skips, pending_doses, on_time_doses, late_doses,
  early_doses, extra_doses, as_needed_doses, as_needed_overuse, days_expected, days_exact,
  days_covered, longest_gap_days, current_gap_days, drug_holidays, missed_streak,
  adherence_rate, dosing_adherence, timing_adherence, pdc, adherent, evaluated_at, run_id,
  created_at, updated_at, day_digest
FROM dose_analytics_before;

DROP TABLE dose_analytics_before;

CREATE INDEX dose_analytics_by_user ON dose_analytics (user_id, period_kind, period_end);

ALTER TABLE trend_insights RENAME TO trend_insights_before;

CREATE TABLE trend_insights (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  pillar TEXT NOT NULL,
  insight_date TEXT NOT NULL,
  rule TEXT NOT NULL,
  severity TEXT NOT NULL,
  recent_mean REAL,
  baseline_mean REAL,
  -- A fraction of the baseline; NULL where there is none.
  change_fraction REAL,
  coverage_days INTEGER NOT NULL,
  confidence REAL NOT NULL,
  slope_per_day REAL,
  slope_lower REAL,
  slope_upper REAL,
  suppressed_reason TEXT,
  medication_id TEXT,
  missed_doses INTEGER,
  days_without_dose INTEGER,
  -- Two episodes at the same time: an association, never a cause.
  alert_state_id TEXT,
  related_alert_state_id TEXT,
  related_metric_type TEXT,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT trend_insights_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT trend_insights_pillar_known CHECK (
    pillar IN ('sleep', 'movement', 'stress', 'adherence')
  ),
  CONSTRAINT trend_insights_date_is_date CHECK (
    insight_date IS date(insight_date)
  ),
  CONSTRAINT trend_insights_rule_known CHECK (
    rule IN (
      'low_streak', 'drop_vs_baseline', 'rebound', 'declining_trend', 'improving_trend',
      'missed_streak', 'concurrent_episodes'
    )
  ),
  CONSTRAINT trend_insights_severity_known CHECK (severity IN ('attention', 'celebrate')),
  CONSTRAINT trend_insights_suppressed_reason_known CHECK (
    suppressed_reason IS NULL OR suppressed_reason IN ('recovered', 'retracted')
  ),
  CONSTRAINT trend_insights_coverage_not_negative CHECK (coverage_days >= 0),
  CONSTRAINT trend_insights_confidence_is_fraction CHECK (confidence BETWEEN 0 AND 1),
  CONSTRAINT trend_insights_missed_streak_is_whole CHECK (
    rule <> 'missed_streak'
    OR (medication_id IS NOT NULL AND missed_doses IS NOT NULL AND days_without_dose IS NOT NULL)
  ),
  CONSTRAINT trend_insights_concurrence_is_whole CHECK (
    rule <> 'concurrent_episodes'
    OR (
      alert_state_id IS NOT NULL AND related_alert_state_id IS NOT NULL
      AND related_metric_type IS NOT NULL
    )
  )
) STRICT, WITHOUT ROWID;

INSERT INTO trend_insights (
  id, user_id, pillar, insight_date, rule, severity, recent_mean, baseline_mean,
  change_fraction, coverage_days, confidence, slope_per_day, slope_lower, slope_upper,
  suppressed_reason, medication_id, missed_doses, days_without_dose, alert_state_id,
  related_alert_state_id, related_metric_type, run_id, created_at, updated_at
)
SELECT
  id, user_id, pillar, insight_date, rule, severity, recent_mean, baseline_mean,
  change_fraction, coverage_days, confidence, slope_per_day, slope_lower, slope_upper,
  suppressed_reason, medication_id, missed_doses, days_without_dose, alert_state_id,
  related_alert_state_id, related_metric_type, run_id, created_at, updated_at
FROM trend_insights_before;

DROP TABLE trend_insights_before;

CREATE INDEX trend_insights_by_user ON trend_insights (user_id, insight_date);
CREATE INDEX trend_insights_by_day ON trend_insights (insight_date);
CREATE INDEX trend_insights_concurrences ON trend_insights (user_id, insight_date)
WHERE rule = 'concurrent_episodes';

ALTER TABLE trend_coverage RENAME TO trend_coverage_before;

CREATE TABLE trend_coverage (
  user_id TEXT PRIMARY KEY NOT NULL,
  evaluated_on TEXT NOT NULL,
  -- Days of the window with any score, and how many are missing before there can be an insight.
  coverage_days INTEGER NOT NULL,
  days_needed INTEGER NOT NULL,
  last_score_date TEXT,
  first_evaluated_on TEXT NOT NULL,
  -- Tells whether the scores of that window have changed since.
  input_digest INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT trend_coverage_user_id_is_uuid CHECK (
    user_id GLOB '????????-????-????-????-????????????' AND user_id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT trend_coverage_dates_are_dates CHECK (
    evaluated_on IS date(evaluated_on) AND last_score_date IS date(last_score_date)
    AND first_evaluated_on IS date(first_evaluated_on)
  ),
  CONSTRAINT trend_coverage_dates_in_order CHECK (
    coalesce(last_score_date <= evaluated_on, 1) AND first_evaluated_on <= evaluated_on
  ),
  CONSTRAINT trend_coverage_days_not_negative CHECK (coverage_days >= 0 AND days_needed >= 0),
  CONSTRAINT trend_coverage_covered_days_have_scores CHECK (
    (coverage_days = 0) = (last_score_date IS NULL)
  )
) STRICT, WITHOUT ROWID;

INSERT INTO trend_coverage (
  user_id, evaluated_on, coverage_days, days_needed, last_score_date, first_evaluated_on,
  input_digest, run_id, created_at, updated_at
)
SELECT
  user_id, evaluated_on, coverage_days, days_needed, last_score_date, first_evaluated_on,
  input_digest, run_id, created_at, updated_at
FROM trend_coverage_before;

DROP TABLE trend_coverage_before;
