-- Which settings the rows of a database are made with, as part of what an alert is known by: two profiles
-- never write each other's rows.

-- SQLite cannot change a constraint, so the table is made anew with the rows it has; rows of other tables
-- that name them are checked when all is in place.
PRAGMA defer_foreign_keys = ON;

CREATE TEMP TABLE pattern_alert_state_before AS SELECT * FROM pattern_alert_state;
DROP TABLE pattern_alert_state;

CREATE TABLE pattern_alert_state (
  id TEXT PRIMARY KEY NOT NULL,
  -- Version and digest of the thresholds file: rows of two profiles stand side by side.
  profile TEXT NOT NULL,
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
    UNIQUE (profile, user_id, metric_type, pattern_type, active_since),
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
  CONSTRAINT pattern_alert_state_values_in_range CHECK (
    consecutive_true_days <= 4000000
    AND baseline_days <= 4000000
    AND abs(baseline_value) < 9e999
    AND abs(recent_value) < 9e999
    AND (deviation_percent IS NULL OR abs(deviation_percent) < 9e999)
  ),
  CONSTRAINT pattern_alert_state_resolution_matches_status CHECK (
    (episode_status = 'resolved') = (resolved_on IS NOT NULL)
    AND (resolved_on IS NULL) = (resolution_reason IS NULL)
  ),
  CONSTRAINT pattern_alert_state_resolution_reason_known CHECK (
    resolution_reason IS NULL
    OR resolution_reason IN (
      'recovered', 'superseded', 'no_data', 'rebased', 'retracted', 'profile_changed'
    )
  ),
  CONSTRAINT pattern_alert_state_profile_names_thresholds CHECK (
    profile = thresholds_version || '@' || substr(thresholds_digest, 1, 12)
  )
) STRICT;

INSERT INTO pattern_alert_state (
  id, profile, user_id, metric_type, pattern_type, episode_status,
  active_since, last_evaluated_date, consecutive_true_days, current_level, severity,
  last_notified_level, last_notified_at, shadow_notified_level, snooze_until, dismissed_at,
  acknowledged_at, acknowledged_by, baseline_start, baseline_end, baseline_days,
  baseline_value, recent_start, recent_end, recent_value, deviation_percent,
  resolved_on, resolution_reason, thresholds_version, thresholds_digest, run_id,
  computed_at, created_at, updated_at
)
SELECT
  id, thresholds_version || '@' || substr(thresholds_digest, 1, 12), user_id, metric_type, pattern_type, episode_status,
  active_since, last_evaluated_date, consecutive_true_days, current_level, severity,
  last_notified_level, last_notified_at, shadow_notified_level, snooze_until, dismissed_at,
  acknowledged_at, acknowledged_by, baseline_start, baseline_end, baseline_days,
  baseline_value, recent_start, recent_end, recent_value, deviation_percent,
  resolved_on, resolution_reason, thresholds_version, thresholds_digest, run_id,
  computed_at, created_at, updated_at
FROM pattern_alert_state_before;

DROP TABLE pattern_alert_state_before;

CREATE UNIQUE INDEX pattern_alert_state_one_active
ON pattern_alert_state (profile, user_id, metric_type, pattern_type)
WHERE episode_status = 'active';

CREATE INDEX pattern_alert_state_by_status_and_level
ON pattern_alert_state (user_id, episode_status, current_level);

-- The settings files that the database's rows are made with; a run with others is refused.
CREATE TABLE database_profile (
  -- What of a run they decide about.
  part TEXT PRIMARY KEY NOT NULL,
  profile TEXT NOT NULL,
  version TEXT NOT NULL,
  digest TEXT NOT NULL,
  adopted_at TEXT NOT NULL,
  -- Until a nightly run of everybody has succeeded for this day or a later one, runs notify nobody and count
  -- what is going on as told; NULL where that is over, and where the profile was the first.
  settles_on TEXT,
  CONSTRAINT database_profile_part_known CHECK (part IN ('patterns', 'vitality')),
  CONSTRAINT database_profile_names_file CHECK (
    profile = version || '@' || substr(digest, 1, 12)
  ),
  CONSTRAINT database_profile_adopted_at_is_utc CHECK (
    adopted_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT database_profile_settles_on_is_date CHECK (
    settles_on IS NULL OR settles_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
  )
) STRICT, WITHOUT ROWID;

-- That of the active alerts, or else of the newest run. Where alerts of two profiles are active nothing is
-- recorded: the next run has to say which of them it is to be.
WITH going_on AS (
  SELECT
    profile, thresholds_version AS version, thresholds_digest AS digest, max(updated_at) AS at
  FROM pattern_alert_state WHERE episode_status = 'active'
  GROUP BY profile, thresholds_version, thresholds_digest
), newest AS (
  SELECT
    thresholds_version || '@' || substr(thresholds_digest, 1, 12) AS profile,
    thresholds_version AS version, thresholds_digest AS digest, started_at AS at
  FROM batch_runs WHERE parts LIKE '%patterns%'
  ORDER BY started_at DESC, id LIMIT 1
)
INSERT INTO database_profile (part, profile, version, digest, adopted_at)
SELECT 'patterns', profile, version, digest, at FROM going_on
WHERE (SELECT count(*) FROM going_on) = 1
UNION ALL
SELECT 'patterns', profile, version, digest, at FROM newest
WHERE NOT EXISTS (SELECT 1 FROM going_on);

INSERT INTO database_profile (part, profile, version, digest, adopted_at)
SELECT
  'vitality', vitality_version || '@' || substr(vitality_digest, 1, 12), vitality_version,
  vitality_digest, started_at
FROM batch_runs WHERE vitality_version IS NOT NULL
ORDER BY started_at DESC, id LIMIT 1;

-- Whether a run notified nobody, because the profile had been switched.
ALTER TABLE batch_runs ADD COLUMN is_silent INTEGER NOT NULL DEFAULT 0
  CONSTRAINT batch_runs_is_silent_is_truth CHECK (is_silent IN (0, 1))
  CONSTRAINT batch_runs_counts_not_negative CHECK (
    min(
      persons, series, days_evaluated, rows_read, values_rejected, episodes_opened,
      episodes_escalated, episodes_resolved, notifications_enqueued, rows_changed,
      notifications_held, scores_changed, insights_found
    ) >= 0
  );
