-- How well persons sleep, move and rest, what stands out in it, and what a family reads of it.

-- MARK: Scores

-- Where the schema has a table of this name, or a view that can be written to, Vigil uses it as it is.
DO $$
DECLARE
  input constant text := 'vitality_scores';
  needed constant text[] := ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
  privilege text;
  kind "char";
  found regclass;
  missing text;
BEGIN
  SELECT relkind, oid INTO kind, found FROM pg_class
  WHERE oid = to_regclass(format('%I.%I', {{schema_name}}, input));

  IF kind IS NULL THEN
    CREATE TABLE {{schema}}.vitality_scores (
      user_id uuid NOT NULL,
      score_date date NOT NULL,
      total_score integer,
      sleep_score integer,
      movement_score integer,
      stress_score integer,
      schema_version text NOT NULL,
      source text NOT NULL,
      PRIMARY KEY (user_id, score_date),
      CONSTRAINT vitality_scores_date_is_date CHECK (
        score_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
      ),
      CONSTRAINT vitality_scores_scores_in_range CHECK (
        least(total_score, sleep_score, movement_score, stress_score) >= 0
        AND greatest(total_score, sleep_score, movement_score, stress_score) <= 100
      ),
      CONSTRAINT vitality_scores_source_not_empty CHECK (source <> '')
    );

    CREATE INDEX vitality_scores_from_elsewhere
    ON {{schema}}.vitality_scores (user_id, score_date)
    WHERE source <> 'vigil';

    COMMENT ON TABLE {{schema}}.vitality_scores IS
      'Scores of a person and a day, 0 to 100. Input and output: a run adds rows where a person '
      'has none, and never changes rows of another source than vigil.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.user_id IS
      'The person.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.score_date IS
      'The day.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.total_score IS
      'Score of the day, 0 to 100, from the scores below. NULL where there is none.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.sleep_score IS
      'Score of sleep, 0 to 100.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.movement_score IS
      'Score of movement, 0 to 100.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.stress_score IS
      'Score of stress, 0 to 100; high is little stress.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.schema_version IS
      'Version of the settings that gave the scores.';
    COMMENT ON COLUMN {{schema}}.vitality_scores.source IS
      'vigil for computed rows; any other name for rows of an app.';

    -- A foreign key can refer to a table only, and users may be a view.
    IF EXISTS (
      SELECT FROM pg_class
      WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
    ) THEN
      ALTER TABLE {{schema}}.vitality_scores
        ADD CONSTRAINT vitality_scores_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id)
          ON DELETE CASCADE;
    END IF;

    -- Rows of other sources are out of the reach of a run, whatever it tries.
    ALTER TABLE {{schema}}.vitality_scores ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY vigil_owner ON {{schema}}.vitality_scores TO CURRENT_USER USING (TRUE);
    CREATE POLICY vigil_engine ON {{schema}}.vitality_scores
      FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
    CREATE POLICY vigil_engine_insert ON {{schema}}.vitality_scores
      FOR INSERT TO vigil_engine, vigil_backfill WITH CHECK (source = 'vigil');
    CREATE POLICY vigil_engine_update ON {{schema}}.vitality_scores
      FOR UPDATE TO vigil_engine, vigil_backfill USING (source = 'vigil');
    CREATE POLICY vigil_engine_delete ON {{schema}}.vitality_scores
      FOR DELETE TO vigil_engine, vigil_backfill USING (source = 'vigil');
    CREATE POLICY vigil_reader ON {{schema}}.vitality_scores FOR SELECT TO vigil_reader
      USING (user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users())));
    GRANT SELECT, INSERT, UPDATE, DELETE
    ON {{schema}}.vitality_scores TO vigil_engine, vigil_backfill;
    GRANT SELECT ON {{schema}}.vitality_scores TO vigil_reader;
  ELSIF kind NOT IN ('r', 'p', 'v', 'f') THEN
    RAISE EXCEPTION 'the schema % has %, which is neither a table nor a view that can be written to',
      quote_ident({{schema_name}}), quote_ident(input)
      USING ERRCODE = 'duplicate_table', HINT = 'give it another name';
  -- The bits of UPDATE, INSERT and DELETE; rules and triggers count.
  ELSIF pg_relation_is_updatable(found, TRUE) & 28 <> 28 THEN
    RAISE EXCEPTION 'the schema % has a view %, which cannot be written to',
      quote_ident({{schema_name}}), quote_ident(input)
      USING ERRCODE = 'duplicate_table',
        HINT = 'Vigil adds the scores that it computes: make the view of one table, with all columns'
          ' that Vigil knows, or give it another name';
  ELSE
    -- Not to the reader: Vigil does not know which rows of an app's table a person may see.
    FOREACH privilege IN ARRAY needed LOOP
      IF has_table_privilege(found, privilege || ' WITH GRANT OPTION') THEN
        EXECUTE format(
          'GRANT %s ON %I.%I TO vigil_engine, vigil_backfill', privilege, {{schema_name}}, input);
      END IF;
    END LOOP;
  END IF;

  -- The owner of a table or a view may have granted these rights before; all that are missing are named
  -- at once.
  SELECT string_agg(
    format('GRANT %s ON %I.%I TO %I', privileges, {{schema_name}}, input, runtime_role), '; ')
  INTO missing
  FROM (
    SELECT runtime_role, string_agg(lacking, ', ' ORDER BY place) AS privileges
    FROM unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role,
      unnest(needed) WITH ORDINALITY AS one (lacking, place)
    WHERE NOT has_table_privilege(runtime_role, format('%I.%I', {{schema_name}}, input), lacking)
    GROUP BY runtime_role
  ) AS of_role;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of %I.%I must run: %s;', {{schema_name}}, input, missing);
  END IF;
END
$$;

-- MARK: Insights

CREATE TABLE {{schema}}.trend_insights (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  pillar text NOT NULL,
  insight_date date NOT NULL,
  rule text NOT NULL,
  severity text NOT NULL,
  recent_mean double precision,
  baseline_mean double precision,
  change_fraction double precision,
  coverage_days integer NOT NULL,
  confidence double precision NOT NULL,
  slope_per_day double precision,
  slope_lower double precision,
  slope_upper double precision,
  suppressed_reason text,
  medication_id uuid,
  missed_doses integer,
  days_without_dose integer,
  days_left double precision,
  alert_state_id uuid,
  related_alert_state_id uuid,
  related_metric_type text,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT trend_insights_pillar_known CHECK (
    pillar IN ('sleep', 'movement', 'stress', 'adherence')
  ),
  CONSTRAINT trend_insights_date_is_date CHECK (
    insight_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
  ),
  CONSTRAINT trend_insights_rule_known CHECK (
    rule IN (
      'low_streak', 'drop_vs_baseline', 'rebound', 'declining_trend', 'improving_trend',
      'missed_streak', 'refill_due', 'concurrent_episodes'
    )
  ),
  CONSTRAINT trend_insights_severity_known CHECK (severity IN ('attention', 'celebrate')),
  CONSTRAINT trend_insights_suppressed_reason_known CHECK (
    suppressed_reason IN ('recovered', 'retracted')
  ),
  CONSTRAINT trend_insights_coverage_not_negative CHECK (coverage_days >= 0),
  CONSTRAINT trend_insights_confidence_is_fraction CHECK (confidence BETWEEN 0 AND 1),
  CONSTRAINT trend_insights_missed_streak_is_whole CHECK (
    rule <> 'missed_streak'
    OR medication_id IS NOT NULL AND missed_doses IS NOT NULL AND days_without_dose IS NOT NULL
  ),
  CONSTRAINT trend_insights_refill_due_has_medication CHECK (
    rule <> 'refill_due' OR medication_id IS NOT NULL
  ),
  CONSTRAINT trend_insights_co_occurrence_is_whole CHECK (
    rule <> 'concurrent_episodes'
    OR alert_state_id IS NOT NULL AND related_alert_state_id IS NOT NULL
      AND related_metric_type IS NOT NULL
  ),
  -- A run never writes others, and what reads them need not expect any number.
  CONSTRAINT trend_insights_values_in_range CHECK (
    coverage_days <= 4000000
    AND coalesce(missed_doses BETWEEN 0 AND 1000000000, TRUE)
    AND coalesce(days_without_dose BETWEEN 0 AND 4000000, TRUE)
    AND coalesce(days_left >= 0 AND days_left < 'Infinity', TRUE)
    AND coalesce(abs(recent_mean) < 'Infinity', TRUE)
    AND coalesce(abs(baseline_mean) < 'Infinity', TRUE)
    AND coalesce(abs(change_fraction) < 'Infinity', TRUE)
    AND coalesce(abs(slope_per_day) < 'Infinity', TRUE)
    AND coalesce(abs(slope_lower) < 'Infinity', TRUE)
    AND coalesce(abs(slope_upper) < 'Infinity', TRUE)
  )
);

CREATE INDEX trend_insights_by_user ON {{schema}}.trend_insights (user_id, insight_date);
CREATE INDEX trend_insights_by_day ON {{schema}}.trend_insights (insight_date);
-- A co-occurrence is shown on more days than its own.
CREATE INDEX trend_insights_co_occurrences ON {{schema}}.trend_insights (user_id, insight_date)
WHERE rule = 'concurrent_episodes';

COMMENT ON TABLE {{schema}}.trend_insights IS
  'What stands out in the scores and doses of a person on a day. Runs write it and never delete a '
  'row. No medication is named.';
COMMENT ON COLUMN {{schema}}.trend_insights.id IS
  'UUIDv5 of person, pillar and day, and of medication or episodes where there are some.';
COMMENT ON COLUMN {{schema}}.trend_insights.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.trend_insights.pillar IS
  'sleep, movement, stress or adherence.';
COMMENT ON COLUMN {{schema}}.trend_insights.insight_date IS
  'The evaluated day; of a co-occurrence the first day that both episodes share.';
COMMENT ON COLUMN {{schema}}.trend_insights.rule IS
  'low_streak, drop_vs_baseline, rebound, declining_trend, improving_trend, missed_streak, refill_due '
  'or concurrent_episodes (a co-occurrence).';
COMMENT ON COLUMN {{schema}}.trend_insights.severity IS
  'attention or celebrate; it follows from the rule.';
COMMENT ON COLUMN {{schema}}.trend_insights.recent_mean IS
  'Mean of the last three scores, 0 to 100. NULL where the rule has none.';
COMMENT ON COLUMN {{schema}}.trend_insights.baseline_mean IS
  'Mean of up to seven scores before them, 0 to 100. NULL where the rule has none.';
COMMENT ON COLUMN {{schema}}.trend_insights.change_fraction IS
  'Difference of the two means as a fraction of the baseline. NULL where there is none or the '
  'baseline is 0.';
COMMENT ON COLUMN {{schema}}.trend_insights.coverage_days IS
  'Days of the window with a score.';
COMMENT ON COLUMN {{schema}}.trend_insights.confidence IS
  'coverage_days as a fraction of the window, 0 to 1.';
COMMENT ON COLUMN {{schema}}.trend_insights.slope_per_day IS
  'Slope of the scores, in points a day. NULL where the settings ask for none.';
COMMENT ON COLUMN {{schema}}.trend_insights.slope_lower IS
  'Lower end of the confidence interval of the slope.';
COMMENT ON COLUMN {{schema}}.trend_insights.slope_upper IS
  'Upper end of the confidence interval of the slope.';
COMMENT ON COLUMN {{schema}}.trend_insights.suppressed_reason IS
  'Why families do not see the insight: recovered (the score is good again) or retracted (late '
  'data do not support it). NULL where they do.';
COMMENT ON COLUMN {{schema}}.trend_insights.medication_id IS
  'The medication of a missed streak or a refill.';
COMMENT ON COLUMN {{schema}}.trend_insights.missed_doses IS
  'Doses missed in a row, of a missed streak.';
COMMENT ON COLUMN {{schema}}.trend_insights.days_without_dose IS
  'Days in a row without a taken dose, of a missed streak.';
COMMENT ON COLUMN {{schema}}.trend_insights.days_left IS
  'Days that the medication lasts, of a refill. NULL where no use is expected.';
COMMENT ON COLUMN {{schema}}.trend_insights.alert_state_id IS
  'The adherence episode of a co-occurrence. It is an association, never a cause.';
COMMENT ON COLUMN {{schema}}.trend_insights.related_alert_state_id IS
  'The other episode of a co-occurrence.';
COMMENT ON COLUMN {{schema}}.trend_insights.related_metric_type IS
  'Metric of the other episode.';
COMMENT ON COLUMN {{schema}}.trend_insights.run_id IS
  'The run that last changed the row.';
COMMENT ON COLUMN {{schema}}.trend_insights.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.trend_insights.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.trend_coverage (
  user_id uuid PRIMARY KEY,
  evaluated_on date NOT NULL,
  coverage_days integer NOT NULL,
  days_needed integer NOT NULL,
  last_score_date date,
  first_evaluated_on date NOT NULL,
  input_digest bigint NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT trend_coverage_dates_are_dates CHECK (
    least(evaluated_on, last_score_date, first_evaluated_on) >= DATE '0001-01-01'
    AND greatest(evaluated_on, last_score_date) <= DATE '9999-12-31'
  ),
  CONSTRAINT trend_coverage_dates_in_order CHECK (
    last_score_date <= evaluated_on AND first_evaluated_on <= evaluated_on
  ),
  CONSTRAINT trend_coverage_days_not_negative CHECK (coverage_days >= 0 AND days_needed >= 0),
  CONSTRAINT trend_coverage_days_in_range CHECK (
    coverage_days <= 4000000 AND days_needed <= 4000000
  ),
  CONSTRAINT trend_coverage_covered_days_have_scores CHECK (
    (coverage_days = 0) = (last_score_date IS NULL)
  )
);

COMMENT ON TABLE {{schema}}.trend_coverage IS
  'Whether a person has enough scores for insights, as of the last evaluated day. Runs write it.';
COMMENT ON COLUMN {{schema}}.trend_coverage.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.trend_coverage.evaluated_on IS
  'The last evaluated day.';
COMMENT ON COLUMN {{schema}}.trend_coverage.coverage_days IS
  'Days of the window with a score.';
COMMENT ON COLUMN {{schema}}.trend_coverage.days_needed IS
  'Days that are missing before there can be an insight. 0 where there are enough.';
COMMENT ON COLUMN {{schema}}.trend_coverage.last_score_date IS
  'The last day of the window with a score. NULL where there is none.';
COMMENT ON COLUMN {{schema}}.trend_coverage.first_evaluated_on IS
  'The first day that was ever evaluated.';
COMMENT ON COLUMN {{schema}}.trend_coverage.input_digest IS
  'Digest of the scores of the window; a run finds late and corrected data by it.';
COMMENT ON COLUMN {{schema}}.trend_coverage.run_id IS
  'The run that last changed the row.';
COMMENT ON COLUMN {{schema}}.trend_coverage.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.trend_coverage.updated_at IS
  'When the row was last changed.';

-- MARK: Rights

ALTER TABLE {{schema}}.trend_insights ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.trend_insights TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.trend_insights
TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.trend_insights FOR SELECT TO vigil_reader
USING (user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users())));
GRANT SELECT, INSERT, UPDATE ON {{schema}}.trend_insights TO vigil_engine, vigil_backfill;
GRANT SELECT ON {{schema}}.trend_insights TO vigil_reader;

ALTER TABLE {{schema}}.trend_coverage ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.trend_coverage TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.trend_coverage
TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.trend_coverage FOR SELECT TO vigil_reader
USING (user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users())));
GRANT SELECT, INSERT, UPDATE ON {{schema}}.trend_coverage TO vigil_engine, vigil_backfill;
GRANT SELECT ON {{schema}}.trend_coverage TO vigil_reader;

-- MARK: Reading insights

-- Without a day it is the last that was evaluated of each member, unless that is more than three days
-- before that of another member. A member with an insight on a day had scores enough, and recent ones. Missed doses
-- and refills have a last day of their own: a person may have doses and no score. What a member has snoozed or
-- dismissed is not shown.
--
-- SECURITY INVOKER, with the rights and refusals of vigil_family_persons.
CREATE FUNCTION {{schema}}.family_insights(
  family_id uuid, viewer uuid, day date DEFAULT NULL, today date DEFAULT (now() AT TIME ZONE 'UTC')::date
)
RETURNS TABLE (
  id uuid,
  user_id uuid,
  pillar text,
  insight_date date,
  rule text,
  severity text,
  recent_mean double precision,
  baseline_mean double precision,
  -- A fraction of the baseline; NULL where the baseline is 0.
  change_fraction double precision,
  coverage_days integer,
  confidence double precision,
  slope_per_day double precision,
  slope_lower double precision,
  slope_upper double precision,
  -- Of missed doses and refills only.
  medication_id uuid,
  missed_doses integer,
  days_without_dose integer,
  -- Of refills only.
  days_left double precision
)
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  members uuid[] := {{schema}}.vigil_family_persons(family_id, viewer);
BEGIN
  -- An alert about a medication hides no insight: the one into its doses says more.
  PERFORM FROM {{schema}}.get_family_pattern_alerts(
    family_insights.family_id, family_insights.viewer, family_insights.today) AS alert
  WHERE alert.medication_id IS NULL;
  IF FOUND THEN RETURN; END IF;

  RETURN QUERY
  WITH evaluated AS (
    SELECT coverage.user_id AS member, coverage.evaluated_on AS on_day, FALSE AS of_doses
    FROM {{schema}}.trend_coverage AS coverage WHERE coverage.user_id = ANY (members)
    UNION ALL
    SELECT one.member, (
      SELECT max(analytics.period_end) FROM {{schema}}.dose_analytics AS analytics
      WHERE analytics.user_id = one.member AND analytics.period_kind = '7_days'
    ), TRUE
    FROM unnest(members) AS one (member)
  ), asked AS (
    SELECT evaluated.member, evaluated.on_day, evaluated.of_doses FROM evaluated
    WHERE family_insights.day IS NULL
      AND evaluated.on_day >= (SELECT max(newest.on_day) - 3 FROM evaluated AS newest)
    UNION ALL
    SELECT one.member, family_insights.day, kind.of_doses
    FROM unnest(members) AS one (member)
    CROSS JOIN (VALUES (FALSE), (TRUE)) AS kind (of_doses)
    WHERE family_insights.day IS NOT NULL
  ), candidate AS (
    SELECT
      insight.*,
      row_number() OVER (
        PARTITION BY insight.user_id, insight.severity
        ORDER BY array_position(
          ARRAY['sleep', 'movement', 'stress', 'adherence'], insight.pillar),
          insight.rule = 'refill_due', insight.medication_id NULLS FIRST
      ) AS place
    FROM asked
    JOIN {{schema}}.trend_insights AS insight
      ON insight.user_id = asked.member AND insight.insight_date = asked.on_day
    WHERE insight.user_id <> family_insights.viewer
      AND insight.suppressed_reason IS NULL
      AND insight.rule <> 'concurrent_episodes'
      AND (insight.rule IN ('missed_streak', 'refill_due')) = asked.of_doses
      AND NOT EXISTS (
        SELECT FROM {{schema}}.pattern_alert_state AS alert
        WHERE alert.user_id = insight.user_id AND alert.medication_id = insight.medication_id
          AND alert.metric_type = insight.rule
          AND insight.insight_date BETWEEN alert.active_since AND alert.last_evaluated_date
          AND (alert.dismissed_at IS NOT NULL OR alert.snooze_until > family_insights.today)
      )
  ), chosen AS (
    SELECT
      candidate.*,
      rank() OVER (ORDER BY candidate.severity <> 'attention') AS preference,
      row_number() OVER (PARTITION BY candidate.severity ORDER BY candidate.user_id) AS turn
    FROM candidate WHERE candidate.place = 1
  )
  SELECT
    chosen.id, chosen.user_id, chosen.pillar, chosen.insight_date, chosen.rule, chosen.severity,
    chosen.recent_mean, chosen.baseline_mean, chosen.change_fraction, chosen.coverage_days,
    chosen.confidence, chosen.slope_per_day, chosen.slope_lower, chosen.slope_upper,
    chosen.medication_id, chosen.missed_doses, chosen.days_without_dose, chosen.days_left
  FROM chosen
  WHERE chosen.preference = 1
    AND chosen.turn <= CASE chosen.severity WHEN 'attention' THEN 2 ELSE 1 END
  ORDER BY chosen.user_id;
END
$$;
COMMENT ON FUNCTION {{schema}}.family_insights(uuid, uuid, date, date) IS
  'Returns what a viewer is shown of the trends, missed doses and refills of a family''s other members '
  'on an evaluated day, by default the last one of each: the first attention insight of each of at most two '
  'members, or else the first celebrate insight. Nothing while there are alerts about persons today, and nothing '
  'about a medication whose alert is dismissed or snoozed. The viewer must be an accepted member.';

REVOKE ALL ON FUNCTION
  {{schema}}.family_insights(uuid, uuid, date, date)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  {{schema}}.family_insights(uuid, uuid, date, date)
TO vigil_engine, vigil_backfill, vigil_reader;
