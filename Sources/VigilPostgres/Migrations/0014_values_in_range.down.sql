ALTER TABLE {{schema}}.dose_analytics DROP CONSTRAINT dose_analytics_counts_in_range;
ALTER TABLE {{schema}}.trend_insights DROP CONSTRAINT trend_insights_values_in_range;
ALTER TABLE {{schema}}.trend_coverage DROP CONSTRAINT trend_coverage_days_in_range;
