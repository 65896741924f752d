-- Figures for a dashboard: what was found and sent, as numbers, without ids, names or measured values.
--
--   psql -v ON_ERROR_STOP=1 -v schema=public -f figures.sql DATABASE
--
-- Run it as the owner of Vigil's tables, after `vigil migrate`, and again after an update of Vigil. It makes the schema
-- vigil_figures and the role vigil_dashboard, which may call the functions there and nothing else. README.md beside it
-- says how Grafana gets a login.
--
-- Each function reads with the rights of the owner, because row-level security shows a dashboard no row. `schema` is the
-- schema of Vigil's tables. No table depends on these functions, so they hinder no migration. A `day` is its midnight in
-- UTC.

\if :{?schema}
\else
  \set schema public
\endif

BEGIN;

SET LOCAL client_min_messages = warning;
SET LOCAL search_path = :"schema", pg_temp;

DO $$
DECLARE
  owner regrole := (SELECT relowner FROM pg_class WHERE oid = to_regclass('batch_runs'));
BEGIN
  IF owner IS NULL THEN
    RAISE EXCEPTION 'there are no tables of Vigil in the schema %', split_part(current_setting('search_path'), ',', 1)
      USING HINT = 'Give their schema as -v schema=NAME, run vigil migrate first, or run this as the owner of the tables.';
  END IF;
  IF owner <> current_user::regrole THEN
    RAISE EXCEPTION 'the tables of Vigil belong to another role than %', current_user
      USING HINT = format('Run this file as %s.', owner);
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'vigil_dashboard') THEN
    CREATE ROLE vigil_dashboard NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
END
$$;

DROP SCHEMA IF EXISTS vigil_figures CASCADE;
CREATE SCHEMA vigil_figures;
COMMENT ON SCHEMA vigil_figures IS 'Figures of Vigil for a dashboard. They name no person.';

-- MARK: Runs

CREATE FUNCTION vigil_figures.runs(since timestamptz, until timestamptz)
RETURNS TABLE (
  started_at timestamptz, kind text, from_date date, to_date date, mode text, thresholds text, status text,
  seconds double precision, persons bigint, series bigint, rows_read bigint, rows_changed bigint,
  values_rejected bigint, episodes_opened bigint, episodes_escalated bigint, episodes_resolved bigint,
  notifications_enqueued bigint, notifications_held bigint, feed_sending bigint, feed_usual bigint,
  feed_is_broken boolean, dose_feed_sending bigint, dose_feed_usual bigint, dose_feed_is_broken boolean,
  newest_input timestamptz, error text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT
    started_at, kind, from_date, to_date, mode, thresholds_version, status,
    -- A clock that is set back must not lead to a negative duration.
    greatest(0, extract(epoch FROM finished_at - started_at))::double precision,
    persons, series, rows_read, rows_changed, values_rejected, episodes_opened, episodes_escalated,
    episodes_resolved, notifications_enqueued, notifications_held,
    (feed::jsonb ->> 'sending')::bigint, (feed::jsonb ->> 'usual')::bigint,
    feed::jsonb -> 'broken_days' ? to_date::text,
    (dose_feed::jsonb ->> 'sending')::bigint, (dose_feed::jsonb ->> 'usual')::bigint,
    dose_feed::jsonb -> 'broken_days' ? to_date::text,
    watermark, error
  FROM batch_runs
  WHERE started_at >= since AND started_at < until
$$;
COMMENT ON FUNCTION vigil_figures.runs(timestamptz, timestamptz) IS
  'Runs that began from since to until: kind, days, how each ended, how long it took and its counts.';

CREATE FUNCTION vigil_figures.quarantined(since timestamptz, until timestamptz)
RETURNS TABLE (day timestamptz, table_name text, column_name text, reason text, rows bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT date_trunc('day', created_at, 'UTC'), table_name, column_name, reason, count(*)
  FROM quarantined_rows
  WHERE created_at >= since AND created_at < until
  GROUP BY 1, 2, 3, 4
$$;
COMMENT ON FUNCTION vigil_figures.quarantined(timestamptz, timestamptz) IS
  'Input rows that were quarantined, by day in UTC, table, column and reason.';

-- MARK: Alerts

CREATE FUNCTION vigil_figures.alerts_begun(since timestamptz, until timestamptz)
RETURNS TABLE (day timestamptz, metric text, severity text, level integer, alerts bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT active_since::timestamp AT TIME ZONE 'UTC', metric_type, severity, current_level, count(*)
  FROM pattern_alert_state
  WHERE profile IN (SELECT profile FROM database_profile WHERE part = 'patterns')
    AND active_since >= (since AT TIME ZONE 'UTC')::date
    AND active_since <= (until AT TIME ZONE 'UTC')::date
  GROUP BY 1, 2, 3, 4
$$;
COMMENT ON FUNCTION vigil_figures.alerts_begun(timestamptz, timestamptz) IS
  'Alerts of the database''s profile by their first day, metric, severity and the level that they have reached.';

CREATE FUNCTION vigil_figures.alerts_active()
RETURNS TABLE (
  metric text, severity text, level integer, alerts bigint, acknowledged bigint, snoozed bigint, dismissed bigint
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT
    metric_type, severity, current_level, count(*), count(acknowledged_at),
    count(*) FILTER (WHERE snooze_until > (now() AT TIME ZONE 'UTC')::date), count(dismissed_at)
  FROM pattern_alert_state
  WHERE profile IN (SELECT profile FROM database_profile WHERE part = 'patterns') AND episode_status = 'active'
  GROUP BY 1, 2, 3
$$;
COMMENT ON FUNCTION vigil_figures.alerts_active() IS
  'Active alerts of the database''s profile by metric, severity and level, and how many of them members have answered.';

-- MARK: Notifications

CREATE FUNCTION vigil_figures.notifications(since timestamptz, until timestamptz)
RETURNS TABLE (
  day timestamptz, queue text, type text, level integer, channel text, status text, reason text, notifications bigint
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT
    date_trunc('day', created_at, 'UTC'), queue, notification_type, level, channel, status, status_reason,
    count(*)
  FROM (
    SELECT 'live' AS queue, created_at, notification_type, level, channel, status, status_reason
    FROM notification_queue
    UNION ALL
    SELECT 'shadow', created_at, notification_type, level, channel, status, status_reason
    FROM shadow_notification_queue
  ) AS planned
  WHERE created_at >= since AND created_at < until
  GROUP BY 1, 2, 3, 4, 5, 6, 7
$$;
COMMENT ON FUNCTION vigil_figures.notifications(timestamptz, timestamptz) IS
  'Notifications by the day in UTC on which they were planned, queue (of shadow none is sent), type, level, channel, status and reason.';

CREATE FUNCTION vigil_figures.dead_letters(since timestamptz, until timestamptz)
RETURNS TABLE (day timestamptz, channel text, error text, notifications bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT date_trunc('day', updated_at, 'UTC'), channel, last_error, count(*)
  FROM notification_queue
  WHERE status = 'failed' AND updated_at >= since AND updated_at < until
  GROUP BY 1, 2, 3
$$;
COMMENT ON FUNCTION vigil_figures.dead_letters(timestamptz, timestamptz) IS
  'Notifications that could not be delivered, by the day in UTC of the last attempt, channel and code of the error.';

-- Without in-app rows, which wait for the app and not for a sender.
CREATE FUNCTION vigil_figures.queue_now()
RETURNS TABLE (
  channel text, pending bigint, due bigint, processing bigint, oldest_due_seconds double precision,
  rests_until timestamptz, rest_error text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT
    channel, coalesce(waiting.pending, 0), coalesce(waiting.due, 0), coalesce(waiting.processing, 0),
    coalesce(greatest(0, extract(epoch FROM now() - waiting.oldest_due)), 0)::double precision,
    rests.rests_until, rests.last_error
  FROM (
    SELECT
      channel, count(*) FILTER (WHERE status = 'pending') AS pending, count(due_since) AS due,
      count(*) FILTER (WHERE status = 'processing') AS processing, min(due_since) AS oldest_due
    FROM (
      SELECT
        channel, status,
        CASE
          WHEN status = 'pending' AND coalesce(next_attempt_at, scheduled_for) <= now()
            THEN coalesce(next_attempt_at, scheduled_for)
        END AS due_since
      FROM notification_queue
      WHERE status IN ('pending', 'processing') AND channel <> 'in_app'
    ) AS open
    GROUP BY channel
  ) AS waiting
  FULL JOIN channel_rests AS rests USING (channel)
$$;
COMMENT ON FUNCTION vigil_figures.queue_now() IS
  'What waits to be sent, by channel, for how long the oldest has been due, and until when a channel rests.';

CREATE FUNCTION vigil_figures.held_now()
RETURNS TABLE (night date, held_since timestamptz, notifications bigint, persons bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT runs.to_date, min(held.created_at), count(*), count(DISTINCT held.member_user_id)
  FROM held_notifications AS held
  JOIN batch_runs AS runs ON runs.id = held.run_id
  JOIN run_shards AS part ON part.run_id = held.run_id AND part.shard = held.shard
  WHERE held.outcome IS NULL AND part.status = 'held'
  GROUP BY runs.to_date
$$;
COMMENT ON FUNCTION vigil_figures.held_now() IS
  'Notifications that wait for vigil runs release or discard, by night, and the number of persons they are about.';

CREATE FUNCTION vigil_figures.escalations(since timestamptz, until timestamptz)
RETURNS TABLE (day timestamptz, type text, called text, status text, resolution text, calls bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :"schema", pg_temp
AS $$
  SELECT
    date_trunc('day', triggered_at, 'UTC'), escalation_type,
    CASE
      WHEN emergency_contact_id IS NOT NULL THEN 'emergency contact'
      WHEN step = 0 THEN 'by the night'
      ELSE 'next caregiver'
    END,
    status, resolution, count(*)
  FROM escalation_log
  WHERE triggered_at >= since AND triggered_at < until
  GROUP BY 1, 2, 3, 4, 5
$$;
COMMENT ON FUNCTION vigil_figures.escalations(timestamptz, timestamptz) IS
  'Calls upon members and emergency contacts, by day in UTC, type, who was called, status and resolution.';

-- MARK: Rights

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA vigil_figures FROM PUBLIC;
GRANT USAGE ON SCHEMA vigil_figures TO vigil_dashboard;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA vigil_figures TO vigil_dashboard;

COMMIT;
