-- Counts the rows in which a peer's first night and the engine's differ, figures by more than 1e-9 (of
-- their size, where that is above 1); fails unless there are none.
--
-- psql --set peer=peer_sql --file compare.sql
\set ON_ERROR_STOP 1
SET search_path = public;

WITH episodes AS (
  SELECT
    engine.id IS NULL OR peer.id IS NULL
    OR (
      engine.id, engine.episode_status, engine.last_evaluated_date, engine.consecutive_true_days,
      engine.current_level, engine.severity, engine.last_notified_level, engine.shadow_notified_level,
      engine.baseline_start, engine.baseline_end, engine.baseline_days, engine.recent_start,
      engine.recent_end, engine.resolved_on, engine.resolution_reason, engine.thresholds_version,
      engine.thresholds_digest
    ) IS DISTINCT FROM (
      peer.id, peer.episode_status, peer.last_evaluated_date, peer.consecutive_true_days,
      peer.current_level, peer.severity, peer.last_notified_level, peer.shadow_notified_level,
      peer.baseline_start, peer.baseline_end, peer.baseline_days, peer.recent_start, peer.recent_end,
      peer.resolved_on, peer.resolution_reason, peer.thresholds_version, peer.thresholds_digest
    )
    OR (engine.deviation_fraction IS NULL) <> (peer.deviation_fraction IS NULL)
    OR abs(engine.baseline_value - peer.baseline_value) > 1e-9 * greatest(1, abs(engine.baseline_value))
    OR abs(engine.recent_value - peer.recent_value) > 1e-9 * greatest(1, abs(engine.recent_value))
    OR abs(engine.deviation_fraction - peer.deviation_fraction)
      > 1e-9 * greatest(1, abs(engine.deviation_fraction)) AS differs
  FROM pattern_alert_state AS engine
  FULL JOIN :"peer".pattern_alert_state AS peer
    USING (user_id, metric_type, pattern_type, active_since)
),
notifications AS (
  SELECT
    engine.id IS NULL OR peer.id IS NULL
    OR (
      engine.id, engine.recipient_user_id, engine.member_user_id, engine.alert_state_id,
      engine.notification_type, engine.template_id, engine.channel, engine.payload - 'deviation',
      engine.priority, engine.status, engine.max_attempts, engine.expires_at - engine.scheduled_for
    ) IS DISTINCT FROM (
      peer.id, peer.recipient_user_id, peer.member_user_id, peer.alert_state_id, peer.notification_type,
      peer.template_id, peer.channel, peer.payload - 'deviation', peer.priority, peer.status,
      peer.max_attempts, peer.expires_at - peer.scheduled_for
    )
    OR (engine.payload ->> 'deviation' IS NULL) <> (peer.payload ->> 'deviation' IS NULL)
    OR abs((engine.payload ->> 'deviation')::float8 - (peer.payload ->> 'deviation')::float8)
      > 1e-9 * greatest(1, abs((engine.payload ->> 'deviation')::float8)) AS differs
  FROM shadow_notification_queue AS engine
  FULL JOIN :"peer".shadow_notification_queue AS peer USING (dedupe_key)
)
SELECT
  (SELECT count(*) FROM episodes) AS episodes,
  (SELECT count(*) FROM episodes WHERE differs) AS differing_episodes,
  (SELECT count(*) FROM notifications) AS notifications,
  (SELECT count(*) FROM notifications WHERE differs) AS differing_notifications
\gset

\echo :peer: differing are :differing_episodes of :episodes episodes, :differing_notifications of :notifications notifications
-- Two empty tables would agree, too.
SELECT :differing_episodes + :differing_notifications > 0 OR :episodes = 0 OR :notifications = 0 AS fails
\gset
\if :fails
DO $$
BEGIN
  RAISE EXCEPTION 'the peer''s rows are not the engine''s';
END
$$;
\endif
