-- Episodes as alerts, and the profile that they are found with.

CREATE TABLE database_profile (
  part TEXT PRIMARY KEY NOT NULL,
  profile TEXT NOT NULL,
  version TEXT NOT NULL,
  digest TEXT NOT NULL,
  adopted_at TEXT NOT NULL,
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

CREATE TABLE pattern_alert_state (
  id TEXT PRIMARY KEY NOT NULL,
  profile TEXT NOT NULL,
  user_id TEXT NOT NULL,
  -- It does not refer to medications: what was found outlives the row.
  medication_id TEXT,
  metric_type TEXT NOT NULL,
  pattern_type TEXT NOT NULL,
  event_id TEXT NOT NULL,
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
  deviation_fraction REAL,
  opened_on TEXT,
  window_days INTEGER,
  evidence REAL,
  evidence_threshold REAL,
  shift_spreads REAL,
  anchor TEXT,
  longest_pause_days INTEGER,
  resolved_on TEXT,
  resolution_reason TEXT,
  thresholds_version TEXT NOT NULL,
  thresholds_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  computed_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT pattern_alert_state_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT pattern_alert_state_ids_are_uuids CHECK (
    id GLOB '????????-????-????-????-????????????'
    AND length(event_id) = 36
    AND length(run_id) = 36
    AND (medication_id IS NULL OR length(medication_id) = 36)
    AND (acknowledged_by IS NULL OR length(acknowledged_by) = 36)
  ),
  CONSTRAINT pattern_alert_state_metric_type_not_empty CHECK (metric_type <> ''),
  CONSTRAINT pattern_alert_state_pattern_type_known CHECK (
    pattern_type IN (
      'drop_vs_baseline', 'rise_vs_baseline', 'worse_than_usual', 'silence', 'medication',
      'critical_value_below', 'critical_value_above'
    )
    AND (pattern_type = 'worse_than_usual') = (metric_type = 'combined')
    AND (pattern_type = 'silence') = (metric_type IN ('inactivity', 'check_in_overdue'))
    AND (pattern_type = 'medication')
      = (metric_type IN ('missed_streak', 'missed_dose', 'refill_due', 'expiry_due'))
    AND (pattern_type = 'medication') = (medication_id IS NOT NULL)
  ),
  CONSTRAINT pattern_alert_state_episode_status_known CHECK (
    episode_status IN ('active', 'resolved')
  ),
  CONSTRAINT pattern_alert_state_severity_matches_level CHECK (
    CASE current_level
      WHEN 3 THEN
        severity = CASE
          WHEN metric_type IN ('missed_streak', 'refill_due', 'expiry_due') THEN 'attention'
          ELSE 'watch'
        END
      WHEN 7 THEN
        metric_type <> 'missed_dose'
        AND severity = CASE metric_type WHEN 'inactivity' THEN 'watch' ELSE 'attention' END
      WHEN 14 THEN severity = 'critical' AND metric_type <> 'missed_dose'
      WHEN 21 THEN severity = 'critical' AND metric_type <> 'missed_dose'
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
    AND (opened_on IS NULL OR opened_on GLOB '????-??-??')
    AND (resolved_on IS NULL OR resolved_on GLOB '????-??-??')
    AND (snooze_until IS NULL OR snooze_until GLOB '????-??-??')
  ),
  CONSTRAINT pattern_alert_state_dates_in_order CHECK (
    active_since <= last_evaluated_date
    AND baseline_start <= baseline_end
    AND recent_start <= recent_end
    AND (opened_on IS NULL OR opened_on BETWEEN active_since AND last_evaluated_date)
  ),
  CONSTRAINT pattern_alert_state_days_positive CHECK (
    consecutive_true_days > 0
    AND baseline_days > 0
    AND (window_days IS NULL OR window_days > 0)
  ),
  CONSTRAINT pattern_alert_state_values_in_range CHECK (
    consecutive_true_days <= 4000000
    AND baseline_days <= 4000000
    AND abs(baseline_value) < 9e999
    AND abs(recent_value) < 9e999
    AND (deviation_fraction IS NULL OR abs(deviation_fraction) < 9e999)
    AND (window_days IS NULL OR window_days <= 4000000)
    AND (evidence IS NULL OR abs(evidence) < 9e999)
    AND (evidence_threshold IS NULL OR abs(evidence_threshold) < 9e999)
    AND (shift_spreads IS NULL OR abs(shift_spreads) < 9e999)
    AND (longest_pause_days IS NULL OR longest_pause_days BETWEEN 0 AND 4000000)
  ),
  CONSTRAINT pattern_alert_state_evidence_complete CHECK (
    CASE
      WHEN metric_type = 'inactivity' THEN
        (opened_on IS NULL) + (evidence_threshold IS NULL) + (longest_pause_days IS NULL) = 0
        AND (window_days IS NULL) + (evidence IS NULL) + (shift_spreads IS NULL)
          + (anchor IS NULL) = 4
      WHEN pattern_type IN ('critical_value_below', 'critical_value_above') THEN
        (opened_on IS NULL) + (window_days IS NULL) + (evidence IS NULL)
          + (evidence_threshold IS NULL) + (anchor IS NULL) = 0
        AND (shift_spreads IS NULL) + (longest_pause_days IS NULL) = 2
      ELSE
        (opened_on IS NULL) + (window_days IS NULL) + (evidence IS NULL)
          + (evidence_threshold IS NULL) + (anchor IS NULL) IN (0, 5)
        AND (shift_spreads IS NULL)
          = (opened_on IS NULL
            OR CASE WHEN json_valid(anchor) THEN json_type(anchor, '$.held_level') END IS NOT NULL)
        AND longest_pause_days IS NULL
    END
  ),
  CONSTRAINT pattern_alert_state_anchor_is_json CHECK (
    CASE
      WHEN anchor IS NULL THEN TRUE
      WHEN json_valid(anchor) THEN json_type(anchor) = 'object'
      ELSE FALSE
    END
  ),
  CONSTRAINT pattern_alert_state_resolution_matches_status CHECK (
    (episode_status = 'resolved') = (resolved_on IS NOT NULL)
    AND (resolved_on IS NULL) = (resolution_reason IS NULL)
  ),
  CONSTRAINT pattern_alert_state_resolution_reason_known CHECK (
    resolution_reason IS NULL
    OR resolution_reason IN (
      'recovered', 'superseded', 'no_data', 'rebased', 'recalibrated', 'left', 'limit_ended', 'retracted',
      'profile_changed'
    )
  ),
  CONSTRAINT pattern_alert_state_profile_names_thresholds CHECK (
    profile = thresholds_version || '@' || substr(thresholds_digest, 1, 12)
  )
) STRICT;

-- The subject of an alert is one of the person's medications, or the person.
CREATE UNIQUE INDEX pattern_alert_state_natural_key
ON pattern_alert_state (
  profile, user_id, metric_type, pattern_type, active_since, coalesce(medication_id, user_id)
);

CREATE UNIQUE INDEX pattern_alert_state_one_active
ON pattern_alert_state (
  profile, user_id, metric_type, pattern_type, coalesce(medication_id, user_id)
)
WHERE episode_status = 'active';

CREATE INDEX pattern_alert_state_by_status_and_level
ON pattern_alert_state (user_id, episode_status, current_level);

-- The alerts of an event besides the one that started it; most alerts are the only one of their event.
CREATE INDEX pattern_alert_state_by_event
ON pattern_alert_state (event_id)
WHERE event_id <> id;

CREATE TABLE alert_actions (
  id TEXT PRIMARY KEY NOT NULL,
  alert_state_id TEXT NOT NULL,
  action TEXT NOT NULL,
  actor_user_id TEXT NOT NULL,
  acted_at TEXT NOT NULL,
  snooze_until TEXT,
  CONSTRAINT alert_actions_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT alert_actions_actor FOREIGN KEY (actor_user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT alert_actions_action_known CHECK (
    action IN ('acknowledge', 'snooze', 'dismiss', 'restore')
  ),
  CONSTRAINT alert_actions_acted_at_is_utc CHECK (acted_at GLOB '????-??-??T??:??:??.??????Z'),
  CONSTRAINT alert_actions_snooze_has_end CHECK ((action = 'snooze') = (snooze_until IS NOT NULL)),
  CONSTRAINT alert_actions_snooze_until_is_date CHECK (
    snooze_until IS NULL OR snooze_until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
  )
) STRICT;

CREATE INDEX alert_actions_by_alert ON alert_actions (alert_state_id, acted_at);

CREATE TABLE alert_reads (
  id TEXT PRIMARY KEY NOT NULL,
  alert_state_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  read_at TEXT NOT NULL,
  CONSTRAINT alert_reads_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT alert_reads_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT alert_reads_read_at_is_utc CHECK (read_at GLOB '????-??-??T??:??:??.??????Z')
) STRICT;

CREATE INDEX alert_reads_by_user ON alert_reads (user_id, read_at);

CREATE INDEX alert_reads_by_alert ON alert_reads (alert_state_id)
WHERE alert_state_id IS NOT NULL;
