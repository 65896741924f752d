-- How well persons sleep, move and rest, and what stands out in it.

CREATE TABLE vitality_scores (
  user_id TEXT NOT NULL,
  score_date TEXT NOT NULL,
  total_score INTEGER,
  sleep_score INTEGER,
  movement_score INTEGER,
  stress_score INTEGER,
  schema_version TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (user_id, score_date),
  CONSTRAINT vitality_scores_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT vitality_scores_date_is_date CHECK (score_date IS date(score_date)),
  CONSTRAINT vitality_scores_scores_in_range CHECK (
    coalesce(total_score BETWEEN 0 AND 100, 1) AND coalesce(sleep_score BETWEEN 0 AND 100, 1)
    AND coalesce(movement_score BETWEEN 0 AND 100, 1) AND coalesce(stress_score BETWEEN 0 AND 100, 1)
  ),
  CONSTRAINT vitality_scores_source_not_empty CHECK (source <> '')
) STRICT, WITHOUT ROWID;

CREATE INDEX vitality_scores_from_elsewhere ON vitality_scores (user_id, score_date)
WHERE source <> 'vigil';

CREATE TABLE trend_insights (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  pillar TEXT NOT NULL,
  insight_date TEXT NOT NULL,
  rule TEXT NOT NULL,
  severity TEXT NOT NULL,
  recent_mean REAL,
  baseline_mean REAL,
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
  days_left REAL,
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
      'missed_streak', 'refill_due', 'concurrent_episodes'
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
  CONSTRAINT trend_insights_refill_due_has_medication CHECK (
    rule <> 'refill_due' OR medication_id IS NOT NULL
  ),
  CONSTRAINT trend_insights_co_occurrence_is_whole CHECK (
    rule <> 'concurrent_episodes'
    OR (
      alert_state_id IS NOT NULL AND related_alert_state_id IS NOT NULL
      AND related_metric_type IS NOT NULL
    )
  ),
  -- A run never writes others, and what reads them need not expect any number.
  CONSTRAINT trend_insights_values_in_range CHECK (
    coverage_days <= 4000000
    AND coalesce(missed_doses BETWEEN 0 AND 1000000000, TRUE)
    AND coalesce(days_without_dose BETWEEN 0 AND 4000000, TRUE)
    AND coalesce(days_left >= 0 AND days_left < 9e999, TRUE)
    AND coalesce(abs(recent_mean) < 9e999, TRUE)
    AND coalesce(abs(baseline_mean) < 9e999, TRUE)
    AND coalesce(abs(change_fraction) < 9e999, TRUE)
    AND coalesce(abs(slope_per_day) < 9e999, TRUE)
    AND coalesce(abs(slope_lower) < 9e999, TRUE)
    AND coalesce(abs(slope_upper) < 9e999, TRUE)
  )
) STRICT;

CREATE INDEX trend_insights_by_user ON trend_insights (user_id, insight_date);
CREATE INDEX trend_insights_by_day ON trend_insights (insight_date);
-- A co-occurrence is shown on more days than its own.
CREATE INDEX trend_insights_co_occurrences ON trend_insights (user_id, insight_date)
WHERE rule = 'concurrent_episodes';

CREATE TABLE trend_coverage (
  user_id TEXT PRIMARY KEY NOT NULL,
  evaluated_on TEXT NOT NULL,
  coverage_days INTEGER NOT NULL,
  days_needed INTEGER NOT NULL,
  last_score_date TEXT,
  first_evaluated_on TEXT NOT NULL,
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
  ),
  CONSTRAINT trend_coverage_days_in_range CHECK (
    coverage_days <= 4000000 AND days_needed <= 4000000
  )
) STRICT, WITHOUT ROWID;
