-- What was run, with which settings and on which data, and which rows could not be used.

CREATE TABLE batch_runs (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL,
  mode TEXT NOT NULL,
  is_silent INTEGER NOT NULL,
  parts TEXT NOT NULL,
  shards INTEGER NOT NULL,
  selection TEXT,
  thresholds_version TEXT NOT NULL,
  thresholds_digest TEXT NOT NULL,
  candidate_version TEXT,
  candidate_digest TEXT,
  vitality_version TEXT,
  vitality_digest TEXT,
  zone_rules TEXT,
  engine_version TEXT NOT NULL,
  host TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  persons INTEGER NOT NULL,
  series INTEGER NOT NULL,
  days_evaluated INTEGER NOT NULL,
  rows_read INTEGER NOT NULL,
  rows_changed INTEGER NOT NULL,
  values_rejected INTEGER NOT NULL,
  episodes_opened INTEGER NOT NULL,
  episodes_escalated INTEGER NOT NULL,
  episodes_resolved INTEGER NOT NULL,
  notifications_enqueued INTEGER NOT NULL,
  notifications_held INTEGER NOT NULL,
  scores_changed INTEGER NOT NULL,
  insights_found INTEGER NOT NULL,
  data_quality TEXT NOT NULL,
  feed TEXT,
  dose_feed TEXT,
  watermark TEXT,
  status TEXT NOT NULL,
  error TEXT,
  CONSTRAINT batch_runs_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT batch_runs_kind_known CHECK (kind IN ('run', 'backfill', 'person')),
  CONSTRAINT batch_runs_mode_known CHECK (mode IN ('shadow', 'live')),
  CONSTRAINT batch_runs_dates_are_dates CHECK (
    from_date IS date(from_date) AND to_date IS date(to_date) AND from_date <= to_date
  ),
  CONSTRAINT batch_runs_is_silent_is_truth CHECK (is_silent IN (0, 1)),
  CONSTRAINT batch_runs_parts_known CHECK (
    parts IN (
      'adherence', 'adherence,patterns', 'adherence,patterns,vitality', 'adherence,vitality',
      'patterns', 'patterns,vitality', 'vitality'
    )
  ),
  CONSTRAINT batch_runs_shards_positive CHECK (shards > 0),
  CONSTRAINT batch_runs_selection_is_uuid CHECK (selection IS NULL OR length(selection) = 36),
  CONSTRAINT batch_runs_candidate_is_whole CHECK (
    (candidate_version IS NULL) = (candidate_digest IS NULL)
  ),
  CONSTRAINT batch_runs_candidate_is_another CHECK (
    candidate_digest IS NULL OR candidate_digest <> thresholds_digest
  ),
  CONSTRAINT batch_runs_vitality_is_whole CHECK (
    (vitality_version IS NULL) = (vitality_digest IS NULL)
  ),
  CONSTRAINT batch_runs_times_are_utc CHECK (
    started_at GLOB '????-??-??T??:??:??.??????Z'
    AND (finished_at IS NULL OR finished_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT batch_runs_counts_not_negative CHECK (
    min(
      persons, series, days_evaluated, rows_read, values_rejected, episodes_opened,
      episodes_escalated, episodes_resolved, notifications_enqueued, rows_changed,
      notifications_held, scores_changed, insights_found
    ) >= 0
  ),
  CONSTRAINT batch_runs_data_quality_is_json CHECK (json_valid(data_quality)),
  CONSTRAINT batch_runs_feed_is_json CHECK (feed IS NULL OR json_valid(feed)),
  CONSTRAINT batch_runs_dose_feed_is_json CHECK (dose_feed IS NULL OR json_valid(dose_feed)),
  CONSTRAINT batch_runs_watermark_is_utc CHECK (watermark GLOB '????-??-??T??:??:??.??????Z'),
  CONSTRAINT batch_runs_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted', 'held')
  ),
  CONSTRAINT batch_runs_running_is_not_finished CHECK (
    status <> 'running' OR finished_at IS NULL
  )
) STRICT;

CREATE INDEX batch_runs_by_start ON batch_runs (started_at);

CREATE TABLE run_shards (
  run_id TEXT NOT NULL,
  shard INTEGER NOT NULL,
  status TEXT NOT NULL,
  host TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  error TEXT,
  data_quality TEXT NOT NULL,
  carried TEXT NOT NULL,
  PRIMARY KEY (run_id, shard),
  CONSTRAINT run_shards_run FOREIGN KEY (run_id) REFERENCES batch_runs (id) ON DELETE CASCADE,
  CONSTRAINT run_shards_shard_positive CHECK (shard > 0),
  CONSTRAINT run_shards_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted', 'held')
  ),
  CONSTRAINT run_shards_data_quality_is_json CHECK (json_valid(data_quality)),
  CONSTRAINT run_shards_carried_is_json CHECK (json_valid(carried)),
  CONSTRAINT run_shards_times_are_utc CHECK (
    started_at GLOB '????-??-??T??:??:??.??????Z'
    AND (finished_at IS NULL OR finished_at GLOB '????-??-??T??:??:??.??????Z')
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE batch_checkpoints (
  run_id TEXT NOT NULL,
  shard INTEGER NOT NULL,
  first_person TEXT NOT NULL,
  last_person TEXT NOT NULL,
  persons INTEGER NOT NULL,
  counts TEXT NOT NULL,
  data_quality TEXT NOT NULL,
  metric_rows INTEGER NOT NULL,
  newest_update TEXT,
  update_seconds INTEGER,
  workout_days INTEGER NOT NULL,
  medication_digest INTEGER,
  vitality_digest INTEGER,
  sensitivity_digest INTEGER,
  written_at TEXT NOT NULL,
  PRIMARY KEY (run_id, shard, first_person),
  CONSTRAINT batch_checkpoints_run FOREIGN KEY (run_id) REFERENCES batch_runs (id)
    ON DELETE CASCADE,
  CONSTRAINT batch_checkpoints_persons_in_order CHECK (first_person <= last_person),
  CONSTRAINT batch_checkpoints_counts_in_range CHECK (
    shard > 0 AND persons > 0 AND metric_rows >= 0 AND workout_days >= 0
  ),
  CONSTRAINT batch_checkpoints_counts_are_json CHECK (
    json_valid(counts) AND json_valid(data_quality)
  ),
  CONSTRAINT batch_checkpoints_times_are_utc CHECK (
    written_at GLOB '????-??-??T??:??:??.??????Z'
    AND (newest_update IS NULL OR newest_update GLOB '????-??-??T??:??:??.??????Z')
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE quarantined_rows (
  id INTEGER PRIMARY KEY,
  run_id TEXT,
  table_name TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  row_key TEXT,
  column_name TEXT,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL,
  CONSTRAINT quarantined_rows_run_id_is_uuid CHECK (run_id IS NULL OR length(run_id) = 36),
  CONSTRAINT quarantined_rows_line_positive CHECK (line IS NULL OR line > 0)
) STRICT;

-- A row is listed once, however many runs find it.
CREATE UNIQUE INDEX quarantined_rows_once ON quarantined_rows (table_name, row_key, reason)
WHERE row_key IS NOT NULL;
