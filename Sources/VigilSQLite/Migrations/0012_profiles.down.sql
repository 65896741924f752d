-- Fails where two profiles have an alert of the same series and day: neither is Vigil's to delete.
ALTER TABLE batch_runs DROP COLUMN is_silent;
DROP TABLE database_profile;

PRAGMA defer_foreign_keys = ON;

CREATE TEMP TABLE pattern_alert_state_before AS SELECT * FROM pattern_alert_state;
DROP TABLE pattern_alert_state;

CREATE TABLE pattern_alert_state (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  metric_type TEXT NOT NULL,
  pattern_type TEXT NOT NULL,
  episode_status TEXT NOT NULL,
  active_since TEXT NOT NULL,
  last_evaluated_date TEXT NOT NULL,
  consecutive_true_days INTEGER NOT NULL,
  current_level INTEGER NOT NULL,
  severity TEXT NOT NULL,
  last_notified_level INTEGER,
  last_notified_at TEXT,
  shadow_notified_level INTEGER,
  snooze_until TEXT,
  dismissed_at TEXT,
  acknowledged_at TEXT,
  acknowledged_by TEXT,
  baseline_start TEXT NOT NULL,
  baseline_end TEXT NOT NULL,
  baseline_days INTEGER NOT NULL,
  baseline_value REAL NOT NULL,
  recent_start TEXT NOT NULL,
  recent_end TEXT NOT NULL,
  recent_value REAL NOT NULL,
  -- A fraction of the baseline; NULL where the baseline is 0.
  deviation_percent REAL,
  resolved_on TEXT,
  resolution_reason TEXT,
  thresholds_version TEXT NOT NULL,
  thresholds_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  computed_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT pattern_alert_state_natural_key
    UNIQUE (user_id, metric_type, pattern_type, active_since),
  CONSTRAINT pattern_alert_state_user FOREIGN KEY (user_id) REFERENCES users (id),
  CONSTRAINT pattern_alert_state_ids_are_uuids CHECK (
    id GLOB '????????-????-????-????-????????????'
    AND length(run_id) = 36
    AND (acknowledged_by IS NULL OR length(acknowledged_by) = 36)
  ),
  CONSTRAINT pattern_alert_state_metric_type_not_empty CHECK (metric_type <> ''),
  CONSTRAINT pattern_alert_state_pattern_type_known CHECK (
    pattern_type IN ('drop_vs_baseline', 'rise_vs_baseline')
  ),
  CONSTRAINT pattern_alert_state_episode_status_known CHECK (
    episode_status IN ('active', 'resolved')
  ),
  CONSTRAINT pattern_alert_state_severity_matches_level CHECK (
    CASE current_level
      WHEN 3 THEN severity = 'watch'
      WHEN 7 THEN severity = 'attention'
      WHEN 14 THEN severity = 'critical'
      WHEN 21 THEN severity = 'critical'
      ELSE FALSE
    END
  ),
  CONSTRAINT pattern_alert_state_notified_levels_known CHECK (
    (last_notified_level IS NULL OR last_notified_level IN (3, 7, 14, 21))
    AND (shadow_notified_level IS NULL OR shadow_notified_level IN (3, 7, 14, 21))
  ),
  CONSTRAINT pattern_alert_state_dates_are_dates CHECK (
    active_since GLOB '????-??-??'
    AND last_evaluated_date GLOB '????-??-??'
    AND baseline_start GLOB '????-??-??'
    AND baseline_end GLOB '????-??-??'
    AND recent_start GLOB '????-??-??'
    AND recent_end GLOB '????-??-??'
    AND (resolved_on IS NULL OR resolved_on GLOB '????-??-??')
    AND (snooze_until IS NULL OR snooze_until GLOB '????-??-??')
  ),
  CONSTRAINT pattern_alert_state_dates_in_order CHECK (
    active_since <= last_evaluated_date
    AND baseline_start <= baseline_end
    AND recent_start <= recent_end
  ),
  CONSTRAINT pattern_alert_state_days_positive CHECK (
    consecutive_true_days > 0 AND baseline_days > 0
  ),
  CONSTRAINT pattern_alert_state_resolution_matches_status CHECK (
    (episode_status = 'resolved') = (resolved_on IS NOT NULL)
    AND (resolved_on IS NULL) = (resolution_reason IS NULL)
  ),
  CONSTRAINT pattern_alert_state_resolution_reason_known CHECK (
    resolution_reason IS NULL
    OR resolution_reason IN ('recovered', 'superseded', 'no_data', 'rebased', 'retracted')
  )
) STRICT;

INSERT INTO pattern_alert_state (
  id, user_id, metric_type, pattern_type, episode_status,
  active_since, last_evaluated_date, consecutive_true_days, current_level, severity,
  last_notified_level, last_notified_at, shadow_notified_level, snooze_until, dismissed_at,
  acknowledged_at, acknowledged_by, baseline_start, baseline_end, baseline_days,
  baseline_value, recent_start, recent_end, recent_value, deviation_percent,
  resolved_on, resolution_reason, thresholds_version, thresholds_digest, run_id,
  computed_at, created_at, updated_at
)
SELECT
  id, user_id, metric_type, pattern_type, episode_status,
  active_since, last_evaluated_date, consecutive_true_days, current_level, severity,
  last_notified_level, last_notified_at, shadow_notified_level, snooze_until, dismissed_at,
  acknowledged_at, acknowledged_by, baseline_start, baseline_end, baseline_days,
  baseline_value, recent_start, recent_end, recent_value, deviation_percent,
  resolved_on, CASE resolution_reason WHEN 'profile_changed' THEN 'superseded' ELSE resolution_reason END, thresholds_version, thresholds_digest, run_id,
  computed_at, created_at, updated_at
FROM pattern_alert_state_before;

DROP TABLE pattern_alert_state_before;

CREATE UNIQUE INDEX pattern_alert_state_one_active
ON pattern_alert_state (user_id, metric_type, pattern_type)
WHERE episode_status = 'active';

CREATE INDEX pattern_alert_state_by_status_and_level
ON pattern_alert_state (user_id, episode_status, current_level);
