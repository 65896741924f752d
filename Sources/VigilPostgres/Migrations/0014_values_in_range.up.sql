-- Values that a run never writes are refused: what reads them would have to expect any number.

ALTER TABLE {{schema}}.dose_analytics ADD CONSTRAINT dose_analytics_counts_in_range CHECK (
  least(
    days_expected, days_exact, days_covered, longest_gap_days, current_gap_days, drug_holidays,
    missed_streak
  ) >= 0
  AND greatest(
    days_expected, days_exact, days_covered, longest_gap_days, current_gap_days, drug_holidays,
    missed_streak,
    total_doses, planned_skips, pending_doses, extra_doses, as_needed_doses, as_needed_overuse
  ) <= 1000000000
);

ALTER TABLE {{schema}}.trend_insights ADD CONSTRAINT trend_insights_values_in_range CHECK (
  coverage_days <= 4000000
  AND coalesce(missed_doses BETWEEN 0 AND 1000000000, TRUE)
  AND coalesce(days_without_dose BETWEEN 0 AND 4000000, TRUE)
  AND coalesce(abs(recent_mean) < 'Infinity', TRUE)
  AND coalesce(abs(baseline_mean) < 'Infinity', TRUE)
  AND coalesce(abs(change_fraction) < 'Infinity', TRUE)
  AND coalesce(abs(slope_per_day) < 'Infinity', TRUE)
  AND coalesce(abs(slope_lower) < 'Infinity', TRUE)
  AND coalesce(abs(slope_upper) < 'Infinity', TRUE)
);

ALTER TABLE {{schema}}.trend_coverage ADD CONSTRAINT trend_coverage_days_in_range CHECK (
  coverage_days <= 4000000 AND days_needed <= 4000000
);
