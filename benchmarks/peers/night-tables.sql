-- What write-night.sql starts from. Dates and levels as in pattern_alert_state.

CREATE TEMPORARY TABLE night (
  evaluated_on date NOT NULL,
  thresholds_version text NOT NULL,
  thresholds_digest text NOT NULL,
  run_id uuid NOT NULL,
  at timestamptz NOT NULL
);

CREATE TEMPORARY TABLE night_episodes (
  user_id uuid,
  metric_type text,
  pattern_type text,
  active_since date,
  last_deviating date,
  current_level integer,
  baseline_start date,
  baseline_end date,
  baseline_days integer,
  baseline_value double precision,
  recent_start date,
  recent_value double precision,
  deviation_fraction double precision,
  resolved_on date,
  resolution_reason text
) ON COMMIT DELETE ROWS;
