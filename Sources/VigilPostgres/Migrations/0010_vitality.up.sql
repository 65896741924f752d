-- How well people sleep, move and rest, how far that can be told, and what a family reads of it.

-- MARK: Scores

-- Input and output at once: rows of another source than 'vigil' are somebody else's and stay as they
-- are. Where the schema has a table of this name, or a view that can be written to, it is used as it
-- is.
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
  WHERE relname = input AND relnamespace = quote_ident(current_schema())::regnamespace;

  IF kind IS NULL THEN
    CREATE TABLE vitality_scores (
      user_id uuid NOT NULL,
      score_date date NOT NULL,
      total_score integer,
      sleep_score integer,
      movement_score integer,
      stress_score integer,
      -- The version of what gave the scores.
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

    CREATE INDEX vitality_scores_from_elsewhere ON vitality_scores (user_id, score_date)
    WHERE source <> 'vigil';

    -- A foreign key can refer to a table only, and users may be a view.
    IF EXISTS (SELECT FROM pg_class WHERE oid = 'users'::regclass AND relkind IN ('r', 'p')) THEN
      ALTER TABLE vitality_scores
        ADD CONSTRAINT vitality_scores_user FOREIGN KEY (user_id) REFERENCES users (id)
          ON DELETE CASCADE;
    END IF;

    -- Whatever a run is made to do, rows from elsewhere are out of its reach.
    ALTER TABLE vitality_scores ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY vigil_owner ON vitality_scores TO CURRENT_USER USING (TRUE);
    CREATE POLICY vigil_engine ON vitality_scores
      FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
    CREATE POLICY vigil_engine_insert ON vitality_scores
      FOR INSERT TO vigil_engine, vigil_backfill WITH CHECK (source = 'vigil');
    CREATE POLICY vigil_engine_update ON vitality_scores
      FOR UPDATE TO vigil_engine, vigil_backfill USING (source = 'vigil');
    CREATE POLICY vigil_engine_delete ON vitality_scores
      FOR DELETE TO vigil_engine, vigil_backfill USING (source = 'vigil');
    CREATE POLICY vigil_reader ON vitality_scores
      FOR SELECT TO vigil_reader USING (user_id = ANY (ARRAY(SELECT vigil_visible_users())));
    GRANT SELECT, INSERT, UPDATE, DELETE ON vitality_scores TO vigil_engine, vigil_backfill;
    GRANT SELECT ON vitality_scores TO vigil_reader;
  ELSIF kind NOT IN ('r', 'p', 'v', 'f') THEN
    RAISE EXCEPTION 'the schema % has %, which is neither a table nor a view that can be written to',
      quote_ident(current_schema()), quote_ident(input)
      USING ERRCODE = 'duplicate_table', HINT = 'give it another name';
  -- The bits of UPDATE, INSERT and DELETE; rules and triggers count.
  ELSIF pg_relation_is_updatable(found, TRUE) & 28 <> 28 THEN
    RAISE EXCEPTION 'the schema % has a view %, which cannot be written to',
      quote_ident(current_schema()), quote_ident(input)
      USING ERRCODE = 'duplicate_table',
        HINT = 'Vigil adds the scores that it computes: make the view of one table, with all columns'
          ' that Vigil knows, or give it another name';
  ELSE
    -- Not to the reader: Vigil does not know which of its rows are whose to see.
    FOREACH privilege IN ARRAY needed LOOP
      IF has_table_privilege(found, privilege || ' WITH GRANT OPTION') THEN
        EXECUTE format('GRANT %s ON %I TO vigil_engine, vigil_backfill', privilege, input);
      END IF;
    END LOOP;
  END IF;

  -- What is another's to grant may have been granted before; what is missing is said all at once.
  SELECT string_agg(
    format('GRANT %s ON %I.%I TO %I', privileges, current_schema(), input, runtime_role), '; ')
  INTO missing
  FROM (
    SELECT runtime_role, string_agg(lacking, ', ' ORDER BY place) AS privileges
    FROM unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role,
      unnest(needed) WITH ORDINALITY AS one (lacking, place)
    WHERE NOT has_table_privilege(runtime_role, quote_ident(input), lacking)
    GROUP BY runtime_role
  ) AS of_role;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of %I.%I must run: %s;', current_schema(), input, missing);
  END IF;
END
$$;

-- MARK: Trends

-- Whether a person has scores enough to tell a trend, as of the last evaluated day.
CREATE TABLE trend_coverage (
  user_id uuid PRIMARY KEY,
  evaluated_on date NOT NULL,
  -- Days of the window with any score, and how many are missing before there can be an insight.
  coverage_days integer NOT NULL,
  days_needed integer NOT NULL,
  last_score_date date,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT trend_coverage_dates_are_dates CHECK (
    least(evaluated_on, last_score_date) >= DATE '0001-01-01'
    AND greatest(evaluated_on, last_score_date) <= DATE '9999-12-31'
  ),
  CONSTRAINT trend_coverage_dates_in_order CHECK (last_score_date <= evaluated_on),
  CONSTRAINT trend_coverage_days_not_negative CHECK (coverage_days >= 0 AND days_needed >= 0),
  CONSTRAINT trend_coverage_covered_days_have_scores CHECK (
    (coverage_days = 0) = (last_score_date IS NULL)
  )
);

ALTER TABLE trend_coverage ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON trend_coverage TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON trend_coverage TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON trend_coverage
  FOR SELECT TO vigil_reader USING (user_id = ANY (ARRAY(SELECT vigil_visible_users())));
GRANT SELECT, INSERT, UPDATE ON trend_coverage TO vigil_engine, vigil_backfill;
GRANT SELECT ON trend_coverage TO vigil_reader;

-- MARK: Runs

-- Runs before this evaluated all there was.
ALTER TABLE batch_runs
  ADD COLUMN parts text NOT NULL DEFAULT 'adherence,patterns',
  ADD COLUMN vitality_version text,
  ADD COLUMN vitality_digest text,
  ADD COLUMN scores_changed bigint NOT NULL DEFAULT 0,
  ADD COLUMN insights_found bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT batch_runs_parts_known CHECK (
    parts IN (
      'adherence', 'adherence,patterns', 'adherence,patterns,vitality', 'adherence,vitality',
      'patterns', 'patterns,vitality', 'vitality'
    )
  ),
  ADD CONSTRAINT batch_runs_vitality_is_whole CHECK (
    (vitality_version IS NULL) = (vitality_digest IS NULL)
  );

-- Tells apart what the same figures may hide, such as a dose that has moved to another day; NULL where an
-- earlier version wrote the row.
ALTER TABLE dose_analytics ADD COLUMN day_digest bigint;
-- Rows of medications that are gone go with them.
GRANT DELETE ON dose_analytics TO vigil_engine, vigil_backfill;

-- What a batch has read of scores from elsewhere; NULL where nobody had asked for it.
ALTER TABLE batch_checkpoints ADD COLUMN vitality_digest bigint;

-- MARK: Reading insights

-- The functions below keep the search_path of this moment.
DO $$
BEGIN
  PERFORM set_config('search_path', format('%I, pg_temp', current_schema()), TRUE);
END
$$;

-- What a person is shown of the trends of the family's other members on an evaluated day (without one:
-- on the last that was evaluated of any member): the first attention insight of each of at most two
-- members, or else the first good news. Nothing while there are pattern alerts today.
--
-- Who has an insight on a day had scores enough, and recent ones: nobody else has one.
--
-- SECURITY INVOKER, and with the rights and refusals of get_family_pattern_alerts, which is asked
-- first.
CREATE FUNCTION family_insights(family_id uuid, viewer uuid, day date, today date)
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
  slope_upper double precision
)
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path FROM CURRENT AS $$
DECLARE
  members uuid[];
BEGIN
  PERFORM FROM get_family_pattern_alerts(
    family_insights.family_id, family_insights.viewer, family_insights.today);
  IF FOUND THEN RETURN; END IF;

  IF EXISTS (
    SELECT FROM pg_roles AS trusted
    WHERE (
        trusted.rolname IN ('vigil_engine', 'vigil_backfill')
        OR trusted.oid = (SELECT relowner FROM pg_class WHERE oid = 'trend_insights'::regclass)
      )
      AND pg_has_role(trusted.oid, 'USAGE')
  ) THEN
    SELECT array_agg(member.user_id) INTO members
    FROM family_members AS member
    WHERE member.family_id = family_insights.family_id AND member.invite_status = 'accepted';
  ELSE
    SELECT array_agg(member.user_id) INTO members
    FROM vigil_visible_members() AS member
    WHERE member.family_id = family_insights.family_id;
  END IF;

  RETURN QUERY
  WITH candidate AS (
    SELECT
      insight.*,
      row_number() OVER (
        PARTITION BY insight.user_id, insight.severity
        ORDER BY array_position(
          ARRAY['sleep', 'movement', 'stress', 'adherence'], insight.pillar)
      ) AS place
    FROM trend_insights AS insight
    WHERE insight.user_id = ANY (members)
      AND insight.user_id <> family_insights.viewer
      AND insight.insight_date = coalesce(family_insights.day, (
        SELECT max(coverage.evaluated_on) FROM trend_coverage AS coverage
        WHERE coverage.user_id = ANY (members)))
      AND insight.suppressed_reason IS NULL
      AND insight.rule IN (
        'low_streak', 'drop_vs_baseline', 'rebound', 'declining_trend', 'improving_trend')
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
    chosen.confidence, chosen.slope_per_day, chosen.slope_lower, chosen.slope_upper
  FROM chosen
  WHERE chosen.preference = 1
    AND chosen.turn <= CASE chosen.severity WHEN 'attention' THEN 2 ELSE 1 END
  ORDER BY chosen.user_id;
END
$$;

-- The same of the last evaluated day, today in UTC.
CREATE FUNCTION family_insights(family_id uuid, viewer uuid)
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
  slope_upper double precision
)
LANGUAGE sql STABLE SECURITY INVOKER SET search_path FROM CURRENT AS $$
  SELECT * FROM family_insights(family_id, viewer, NULL, (now() AT TIME ZONE 'UTC')::date)
$$;

REVOKE ALL ON FUNCTION
  family_insights(uuid, uuid, date, date), family_insights(uuid, uuid)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  family_insights(uuid, uuid, date, date), family_insights(uuid, uuid)
TO vigil_engine, vigil_backfill, vigil_reader;
