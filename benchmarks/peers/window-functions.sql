-- The first night of `vigil run --shadow` inside the server, with window functions. Profile v1 only.
--
-- psql --set peer=peer_sql --set thresholds="$(cat v1.json)" --set date=2026-06-29 --set part=1 --set parts=2
--   --file window-functions.sql
--
-- In the folder of this file; the schema has been made by tables.sql. The script window-functions starts one
-- session for each part of the persons: PostgreSQL 15 runs no subquery that refers to an outer row (LATERAL)
-- in parallel workers, and none below an INSERT.
--
-- Each person is such a subquery: their rows come out of the primary key in order, fit into the cache, and no
-- sort goes over the whole table.
\set ON_ERROR_STOP 1
SET client_min_messages = warning;
SET search_path = :"peer", public;
\ir night-tables.sql

-- The one place with the settings: what the thresholds file says, as constants for the query below.
WITH file AS (
  SELECT
    settings,
    -- Days before the warm-up on which clean days may have passed already.
    greatest(1, (
      SELECT max(days::integer) FROM jsonb_each_text(settings -> 'recovery' -> 'clean_days') AS entry (level, days)
    ) - 1) AS context
  FROM (SELECT :'thresholds'::jsonb AS settings) AS parsed
),
metrics AS (
  SELECT
    row_number() OVER (ORDER BY name COLLATE "C") AS number,
    name,
    metric ->> 'pattern_type' AS pattern,
    CASE metric ->> 'pattern_type' WHEN 'drop_vs_baseline' THEN 1 ELSE -1 END AS sign,
    coalesce((metric -> 'suppress_on_workout_days')::boolean, FALSE) AS suppressed,
    -- Without a range, the one that keeps out what is not finite.
    coalesce((metric -> 'plausible' -> 0)::float8, -1.7976931348623157e308) AS least,
    coalesce((metric -> 'plausible' -> 1)::float8, 1.7976931348623157e308) AS greatest,
    rules.*
  FROM file
  CROSS JOIN jsonb_each(settings -> 'metrics') AS entry (name, metric)
  CROSS JOIN LATERAL (
    -- Any rule is enough, so of several of a kind the least strict one counts.
    SELECT
      min(threshold - tolerance) FILTER (WHERE kind LIKE 'percent\_%') AS fraction,
      min(threshold - tolerance) FILTER (WHERE kind LIKE 'absolute\_%\_at\_least') AS difference,
      max(threshold - tolerance) FILTER (WHERE kind = 'absolute_drop_below') AS below
    FROM jsonb_array_elements(metric -> 'rules') AS rule
    CROSS JOIN jsonb_each(rule) AS part (kind, limit_text)
    CROSS JOIN LATERAL (SELECT limit_text::float8 AS threshold) AS number
    CROSS JOIN LATERAL (SELECT 1e-9 * greatest(1, abs(threshold)) AS tolerance) AS comparison
  ) AS rules
  WHERE metric ->> 'source' IS DISTINCT FROM 'dose_history'
),
columns AS (
  SELECT
    string_agg(
      format(
        'max(%1$I) FILTER (WHERE %1$I BETWEEN %2$L::float8 AND %3$L::float8) AS %1$I', name, least, greatest),
      ', ') AS merged_columns,
    string_agg(format('WHEN %s THEN %I', number, name), ' ' ORDER BY number) AS column_by_number,
    count(*) AS metrics,
    array_agg(name ORDER BY number) AS names,
    array_agg(pattern ORDER BY number) AS patterns,
    array_agg(sign ORDER BY number) AS signs,
    array_agg(suppressed ORDER BY number) AS suppressions,
    array_agg(fraction ORDER BY number) AS fractions,
    array_agg(difference ORDER BY number) AS differences,
    array_agg(below ORDER BY number) AS belows
  FROM metrics
)
SELECT
  columns.*,
  settings ->> 'version' AS version,
  (settings -> 'horizon_days')::integer AS horizon,
  (settings -> 'warmup_days')::integer AS warmup,
  (settings -> 'recent_days')::integer AS recent,
  (settings -> 'baseline' -> 'max_days')::integer AS pool,
  (settings -> 'baseline' -> 'min_days')::integer AS min_pool,
  (settings -> 'baseline' -> 'min_total_days')::integer AS min_total,
  (settings -> 'recovery' -> 'within')::float8 + 1e-9 AS within,
  (settings -> 'recovery' -> 'clean_days' -> '3')::integer AS clean3,
  (settings -> 'recovery' -> 'clean_days' -> '7')::integer AS clean7,
  (settings -> 'recovery' -> 'clean_days' -> '14')::integer AS clean14,
  (settings -> 'recovery' -> 'clean_days' -> '21')::integer AS clean21,
  -- Days count from the first one of the load window: a horizon, the context, the warm-up.
  :'date'::date - (settings -> 'warmup_days')::integer + 1 - context - (settings -> 'horizon_days')::integer
    AS first_day,
  (settings -> 'horizon_days')::integer + context AS first_folded,
  settings ->> 'merge' = 'max' AND settings ->> 'non_wear' = 'false'
  AND settings -> 'baseline' ->> 'mode' = 'rolling' AND settings -> 'baseline' ->> 'statistic' = 'mean'
  AND settings -> 'baseline' ->> 'rebase_after_days' IS NULL
  AND settings -> 'episode' ->> 'on_interruption' = 'restart'
  AND settings -> 'episode' ->> 'level_may_fall' = 'true'
  AND settings -> 'episode' ->> 'max_unknown_days' IS NULL AS is_supported
FROM columns CROSS JOIN file
\gset
\if :is_supported
\else
DO $$
BEGIN
  RAISE EXCEPTION 'the peer knows the settings of thresholds/v1.json only';
END
$$;
\endif

BEGIN;

INSERT INTO night VALUES (
  -- The digest is that of the file, whose last line break the shell took away.
  :'date', :'version', encode(sha256(convert_to(:'thresholds' || E'\n', 'UTF8')), 'hex'),
  gen_random_uuid(), now()
);

INSERT INTO night_episodes
SELECT users.id, episodes.*
FROM (
  SELECT id FROM (SELECT id, ntile(:parts) OVER (ORDER BY id) AS part FROM users) AS parts
  WHERE part = :part
) AS users
CROSS JOIN LATERAL (
  WITH merged AS MATERIALIZED (
    SELECT metric_date - :'first_day'::date AS day, :merged_columns
    FROM wearable_daily_metrics
    WHERE user_id = users.id AND metric_date BETWEEN :'first_day' AND :'date'
    GROUP BY metric_date
  ),
  workouts AS (
    SELECT DISTINCT metric_date - :'first_day'::date AS day, TRUE AS was_workout
    FROM exercise_sessions
    WHERE user_id = users.id AND metric_date BETWEEN :'first_day' AND :'date'
  ),
  observations AS (
    SELECT * FROM (
      SELECT metric, day, CASE metric :column_by_number END AS value
      FROM generate_series(1, :metrics) AS metric
      CROSS JOIN merged
    ) AS cells
    WHERE value IS NOT NULL
  ),
  -- Totals of everything up to a row, whose differences are the sums of windows. Below, ORDER BY
  -- sorts nothing: it keeps the planner from computing an expression again wherever its name stands.
  totals AS (
    SELECT
      metric, day,
      sum(value) OVER series AS total,
      -- How many observations the horizon holds, as far as it matters: a count over a RANGE would search for
      -- its beginning on every row, which is needed only where gaps fill a whole window.
      CASE
        WHEN lag(day, :recent + :pool - 1) OVER series >= day - :horizon THEN :recent + :pool
        WHEN first_value(day) OVER series >= day - :horizon THEN row_number() OVER series
        ELSE (
          SELECT count(CASE metric :column_by_number END) FROM merged AS earlier
          WHERE earlier.day BETWEEN observations.day - :horizon AND observations.day)
      END::integer AS in_horizon
    FROM observations
    WINDOW series AS (PARTITION BY metric ORDER BY day ROWS UNBOUNDED PRECEDING)
  ),
  windows AS (
    SELECT
      metric, day, baseline_days,
      (total - coalesce(before_recent, 0)) / :recent AS recent_value,
      (before_recent - coalesce(before_pool, 0)) / nullif(baseline_days, 0) AS baseline_value,
      baseline_start, baseline_end,
      in_horizon >= :min_total AND baseline_days >= :min_pool AND recent_start = day - (:recent - 1)
        AS is_known
    FROM (
      SELECT
        metric, day, total, in_horizon,
        least(in_horizon - :recent, :pool) AS baseline_days,
        lag(total, :recent) OVER series AS before_recent,
        lag(total, :recent + least(in_horizon - :recent, :pool)) OVER series AS before_pool,
        lag(day, :recent - 1) OVER series AS recent_start,
        lag(day, :recent) OVER series AS baseline_end,
        lag(day, :recent - 1 + least(in_horizon - :recent, :pool)) OVER series AS baseline_start
      FROM totals
      WINDOW series AS (PARTITION BY metric ORDER BY day)
    ) AS looked_back
    ORDER BY metric, day
  ),
  verdicts AS (
    SELECT
      metric, day, recent_value, baseline_value, baseline_days, baseline_start, baseline_end,
      coalesce(
        is_known AND (
          signed_deviation <= -(:'fractions'::float8[])[metric]
          OR signed_difference <= -(:'differences'::float8[])[metric]
          OR recent_value < (:'belows'::float8[])[metric]
        ), FALSE) AS deviates,
      is_known AND baseline_value > 1e-9 AND signed_deviation >= -:within AS is_near
    FROM (
      SELECT
        *,
        signed_difference / CASE WHEN abs(baseline_value) > 1e-9 THEN baseline_value END AS signed_deviation
      FROM (
        SELECT *, (:'signs'::integer[])[metric] * (recent_value - baseline_value) AS signed_difference
        FROM windows
      ) AS differences
      ORDER BY metric, day
    ) AS deviations
    ORDER BY metric, day
  ),
  -- After a gap come days that are unknown, so rows next to each other are days next to each other
  -- wherever they deviate or are clean.
  streaks AS (
    SELECT
      *,
      coalesce(max(day) FILTER (WHERE NOT deviates) OVER series, -1) + 1 AS run_start,
      day - coalesce(max(day) FILTER (WHERE deviates OR is_near IS NOT TRUE) OVER series, -1) AS clean_days
    FROM verdicts
    WINDOW series AS (PARTITION BY metric ORDER BY day ROWS UNBOUNDED PRECEDING)
  ),
  -- Of the warm-up, the days that open or extend an episode and those that may end one.
  events AS (
    SELECT
      *,
      -- Every run with such a day is one episode: the next run supersedes it unless it recovers before.
      max(run_start) FILTER (WHERE extends) OVER (
        PARTITION BY metric ORDER BY day ROWS UNBOUNDED PRECEDING) AS episode
    FROM (
      SELECT
        *,
        deviates AND NOT (was_workout IS TRUE AND (:'suppressions'::boolean[])[metric]) AS extends
      FROM streaks
      LEFT JOIN workouts USING (day)
      WHERE day >= :first_folded
        AND (deviates OR clean_days IN (:clean3, :clean7, :clean14, :clean21))
    ) AS days
  ),
  runs AS (
    SELECT
      metric,
      episode - (:recent - 1) AS since,
      min(day) FILTER (WHERE extends) AS opened,
      -- The day first, so that the greatest is that of the last day.
      max(ARRAY[day, baseline_start, baseline_end, baseline_days, baseline_value, recent_value]::float8[])
        FILTER (WHERE extends) AS figures,
      min(day) FILTER (WHERE clean_days = :clean3) AS recovered3,
      min(day) FILTER (WHERE clean_days = :clean7) AS recovered7,
      min(day) FILTER (WHERE clean_days = :clean14) AS recovered14,
      min(day) FILTER (WHERE clean_days = :clean21) AS recovered21
    FROM events
    WHERE episode IS NOT NULL
    GROUP BY metric, episode
  ),
  endings AS (
    SELECT
      *,
      lead(opened) OVER (PARTITION BY metric ORDER BY since) AS superseded,
      CASE level
        WHEN 3 THEN recovered3 WHEN 7 THEN recovered7 WHEN 14 THEN recovered14 ELSE recovered21
      END AS recovered
    FROM (
      SELECT
        *,
        figures[1]::integer AS last_day,
        CASE
          WHEN figures[1] - since + 1 < 7 THEN 3
          WHEN figures[1] - since + 1 < 14 THEN 7
          WHEN figures[1] - since + 1 < 21 THEN 14
          ELSE 21
        END AS level
      FROM runs
    ) AS levels
  )
  SELECT
    (:'names'::text[])[metric] AS metric_type,
    (:'patterns'::text[])[metric] AS pattern_type,
    :'first_day'::date + since AS active_since,
    :'first_day'::date + last_day AS last_deviating,
    level AS current_level,
    :'first_day'::date + figures[2]::integer AS baseline_start,
    :'first_day'::date + figures[3]::integer AS baseline_end,
    figures[4]::integer AS baseline_days,
    figures[5] AS baseline_value,
    :'first_day'::date + last_day - (:recent - 1) AS recent_start,
    figures[6] AS recent_value,
    (figures[6] - figures[5]) / CASE WHEN abs(figures[5]) > 1e-9 THEN figures[5] END AS deviation_fraction,
    :'first_day'::date + coalesce(recovered, superseded) AS resolved_on,
    CASE
      WHEN recovered IS NOT NULL THEN 'recovered'
      WHEN superseded IS NOT NULL THEN 'superseded'
    END AS resolution_reason
  FROM endings
) AS episodes;

ANALYZE night_episodes;
\ir write-night.sql
COMMIT;
