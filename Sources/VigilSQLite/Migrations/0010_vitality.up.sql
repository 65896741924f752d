-- How well people sleep, move and rest, and how far that can be told.

-- Input and output at once: rows of another source than 'vigil' are somebody else's and stay as they
-- are.
CREATE TABLE vitality_scores (
  user_id TEXT NOT NULL,
  score_date TEXT NOT NULL,
  total_score INTEGER,
  sleep_score INTEGER,
  movement_score INTEGER,
  stress_score INTEGER,
  -- The version of what gave the scores.
  schema_version TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (user_id, score_date),
  CONSTRAINT vitality_scores_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT vitality_scores_date_is_date CHECK (score_date IS date(score_date)),
  CONSTRAINT vitality_scores_scores_in_range CHECK (
    coalesce(total_score BETWEEN 0 AND 100, 1) AND coalesce(sleep_score BETWEEN 0 AND 100, 1)
    AND coalesce(movement_score BETWEEN 0 AND 100, 1) AND coalesce(stress_score BETWEEN 0 AND 100, 1)
  ),
  CONSTRAINT vitality_scores_source_not_empty CHECK (source <> '')
) STRICT, WITHOUT ROWID;

CREATE INDEX vitality_scores_from_elsewhere ON vitality_scores (user_id, score_date)
WHERE source <> 'vigil';

-- Whether a person has scores enough to tell a trend, as of the last evaluated day.
CREATE TABLE trend_coverage (
  user_id TEXT PRIMARY KEY NOT NULL,
  evaluated_on TEXT NOT NULL,
  -- Days of the window with any score, and how many are missing before there can be an insight.
  coverage_days INTEGER NOT NULL,
  days_needed INTEGER NOT NULL,
  last_score_date TEXT,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT trend_coverage_user_id_is_uuid CHECK (
    user_id GLOB '????????-????-????-????-????????????' AND user_id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT trend_coverage_dates_are_dates CHECK (
    evaluated_on IS date(evaluated_on) AND last_score_date IS date(last_score_date)
  ),
  CONSTRAINT trend_coverage_dates_in_order CHECK (coalesce(last_score_date <= evaluated_on, 1)),
  CONSTRAINT trend_coverage_days_not_negative CHECK (coverage_days >= 0 AND days_needed >= 0),
  CONSTRAINT trend_coverage_covered_days_have_scores CHECK (
    (coverage_days = 0) = (last_score_date IS NULL)
  )
) STRICT, WITHOUT ROWID;

-- Runs before this evaluated all there was.
ALTER TABLE batch_runs ADD COLUMN parts TEXT NOT NULL DEFAULT 'adherence,patterns'
  CONSTRAINT batch_runs_parts_known CHECK (
    parts IN (
      'adherence', 'adherence,patterns', 'adherence,patterns,vitality', 'adherence,vitality',
      'patterns', 'patterns,vitality', 'vitality'
    )
  );
ALTER TABLE batch_runs ADD COLUMN vitality_version TEXT;
ALTER TABLE batch_runs ADD COLUMN vitality_digest TEXT
  CONSTRAINT batch_runs_vitality_is_whole CHECK (
    (vitality_version IS NULL) = (vitality_digest IS NULL)
  );
ALTER TABLE batch_runs ADD COLUMN scores_changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batch_runs ADD COLUMN insights_found INTEGER NOT NULL DEFAULT 0;

-- Tells apart what the same figures may hide, such as a dose that has moved to another day; NULL where an
-- earlier version wrote the row.
ALTER TABLE dose_analytics ADD COLUMN day_digest INTEGER;

-- What a batch has read of scores from elsewhere; NULL where nobody had asked for it.
ALTER TABLE batch_checkpoints ADD COLUMN vitality_digest INTEGER;
