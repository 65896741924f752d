-- Fills a database without any person with rows that are due; psql variable: rows.
--
-- Every person has an alert, and is notified of it by push. Constraints, indexes and references are put back
-- before anything is measured.
SET session_replication_role = replica;

CREATE TEMPORARY TABLE notified AS
SELECT n, md5('notified ' || n)::uuid AS id, md5('alert ' || n)::uuid AS alert
FROM generate_series(1, :rows) AS n;

INSERT INTO users (id, created_at, updated_at) SELECT id, now(), now() FROM notified;
INSERT INTO user_profiles (user_id, timezone, notify_push) SELECT id, 'Europe/Madrid', TRUE FROM notified;

INSERT INTO pattern_alert_state (
  id, profile, user_id, metric_type, pattern_type, event_id, episode_status, active_since,
  last_evaluated_date, consecutive_true_days, current_level, severity, baseline_start, baseline_end,
  baseline_days, baseline_value, recent_start, recent_end, recent_value, deviation_fraction,
  thresholds_version, thresholds_digest, run_id, computed_at, created_at, updated_at
)
SELECT
  alert, 'v2@', id, 'steps', 'drop_vs_baseline', alert, 'active', '2026-06-20', '2026-06-30', 11, 7, 'attention',
  '2026-05-20', '2026-06-19', 28, 9000, '2026-06-28', '2026-06-30', 4500, -0.5, 'v2', '', alert,
  '2026-07-01 10:00Z', '2026-07-01 10:00Z', '2026-07-01 10:00Z'
FROM notified;

INSERT INTO notification_queue (
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level, channel,
  payload, priority, scheduled_for, expires_at, max_attempts, dedupe_key, run_id, created_at, updated_at
)
SELECT
  md5('row ' || n)::uuid, id, id, alert, 'pattern_alert', 'pattern_alert.level_7', 7, 'push',
  jsonb_build_object(
    'alert_state_id', alert, 'detail', 'reference', 'level', 7, 'template_id', 'pattern_alert.level_7'),
  'high', '2026-07-01 10:00Z', '2026-07-02 10:00Z', 3, 'row ' || n, alert, '2026-07-01 10:00Z',
  '2026-07-01 10:00Z'
FROM notified;

RESET session_replication_role;
VACUUM ANALYZE;
