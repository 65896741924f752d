-- From the episodes of a night to the rows of both tables; the last step of both peers.
--
-- Expects the temporary tables night (one row) and night_episodes, and the peer's schema first in the
-- search path. Plain SQL without variables, so that any client can send it.

INSERT INTO pattern_alert_state (
  id, profile, user_id, metric_type, pattern_type, event_id, episode_status, active_since,
  last_evaluated_date, consecutive_true_days, current_level, severity, shadow_notified_level, baseline_start, baseline_end,
  baseline_days, baseline_value, recent_start, recent_end, recent_value, deviation_fraction, resolved_on,
  resolution_reason, thresholds_version, thresholds_digest, run_id, computed_at, created_at, updated_at
)
SELECT
  id, profile, user_id, metric_type, pattern_type, id,
  CASE WHEN resolved_on IS NULL THEN 'active' ELSE 'resolved' END,
  active_since,
  CASE resolution_reason WHEN 'recovered' THEN resolved_on ELSE last_deviating END,
  last_deviating - active_since + 1,
  current_level,
  CASE current_level WHEN 3 THEN 'watch' WHEN 7 THEN 'attention' ELSE 'critical' END,
  CASE WHEN resolved_on IS NULL THEN current_level END,
  baseline_start, baseline_end, baseline_days, baseline_value, recent_start, last_deviating, recent_value,
  deviation_fraction, resolved_on, resolution_reason,
  thresholds_version, thresholds_digest, run_id, at, at, at
FROM night_episodes CROSS JOIN night
CROSS JOIN LATERAL (
  SELECT thresholds_version || '@' || left(thresholds_digest, 12) AS profile
) AS named
CROSS JOIN LATERAL (
  SELECT peer_ids.uuid_generate_v5(
    '6f0b7c1e-6f5c-5a53-9d1c-5e0f4b7a9c21',
    'pattern_alert_state:' || profile || ':' || user_id || ':' || metric_type || ':' || pattern_type || ':'
      || active_since) AS id
) AS identified;

WITH active AS (
  SELECT
    night_episodes.*,
    peer_ids.uuid_generate_v5(
      '6f0b7c1e-6f5c-5a53-9d1c-5e0f4b7a9c21',
      'pattern_alert_state:' || profile || ':' || user_id || ':' || metric_type || ':' || pattern_type
        || ':' || active_since) AS alert_state_id,
    CASE current_level WHEN 3 THEN 'watch' WHEN 7 THEN 'attention' ELSE 'critical' END AS severity
  FROM night_episodes CROSS JOIN night
  CROSS JOIN LATERAL (
    SELECT thresholds_version || '@' || left(thresholds_digest, 12) AS profile
  ) AS named
  WHERE resolved_on IS NULL
),
administrators AS (
  SELECT DISTINCT own.user_id AS member_user_id, other.user_id AS recipient_user_id
  FROM family_members AS own
  JOIN family_members AS other USING (family_id)
  WHERE own.user_id IN (SELECT user_id FROM active)
    AND own.invite_status = 'accepted'
    AND other.invite_status = 'accepted'
    AND other.role IN ('superadmin', 'admin')
    AND NOT EXISTS (
      SELECT FROM alert_recipient_exclusions
      WHERE subject_user_id = own.user_id AND excluded_user_id = other.user_id
    )
),
planned AS (
  SELECT
    active.*,
    -- Without an administrator, the person is notified.
    coalesce(recipient_user_id, user_id) AS recipient_user_id
  FROM active
  LEFT JOIN administrators ON member_user_id = user_id
),
keyed AS (
  SELECT
    *, user_id || ':' || alert_state_id || ':' || recipient_user_id || ':push:' || current_level AS dedupe_key
  FROM planned
)
INSERT INTO shadow_notification_queue (
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level, channel, payload,
  priority, scheduled_for, expires_at, max_attempts, dedupe_key, run_id, created_at, updated_at
)
SELECT
  peer_ids.uuid_generate_v5(
    '6f0b7c1e-6f5c-5a53-9d1c-5e0f4b7a9c21', 'notification_queue:' || dedupe_key),
  recipient_user_id, user_id, alert_state_id, 'pattern_alert', 'pattern_alert.level_' || current_level, current_level, 'push',
  jsonb_build_object(
    'active_since', active_since, 'detail', 'standard', 'deviation', deviation_fraction,
    'duration_days', last_deviating - active_since + 1, 'evaluated_end_date', evaluated_on, 'kind', 'pattern_alert', 'level', current_level,
    'member_user_id', user_id, 'metric_type', metric_type, 'pattern_type', pattern_type,
    'severity', severity)
  -- The one absolute limit of v1.
  || CASE
    WHEN metric_type = 'sleep_efficiency_pct' AND recent_value < 85
      AND recent_value > baseline_value - 0.05 * abs(baseline_value) THEN jsonb_build_object('below_limit', 85)
    WHEN pattern_type = 'drop_vs_baseline' AND recent_value < baseline_value
      THEN jsonb_build_object('direction', 'lower')
    WHEN pattern_type = 'rise_vs_baseline' AND recent_value > baseline_value
      THEN jsonb_build_object('direction', 'higher')
    ELSE '{}'
  END,
  CASE severity WHEN 'watch' THEN 'normal' WHEN 'attention' THEN 'high' ELSE 'critical' END,
  at, at + interval '24 hours', 3, dedupe_key, run_id, at, at
FROM keyed CROSS JOIN night;
